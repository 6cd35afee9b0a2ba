# Commands that stand in for Slurm's, for srecord sync from=slurm: fake_slurm makes them in the
# folder slurm of the current one, with a site of one account, one user and one job.

# fake NAME SCRIPT
fake() {
	printf '#!/bin/bash\n%s\n' "$2" >"slurm/$1"
	chmod +x "slurm/$1"
}

fake_slurm() {
	mkdir -p slurm
	fake sacctmgr '
		case "$*" in
		-V) echo "slurm 26.05.3" ;;
		*"show cluster format=cluster") echo canis ;;
		*"show cluster"*) echo "canis||0|0|" ;;
		*"show qos"*Comment*) ;;
		*"show qos format=Name,"*) echo "normal|$(tr -dc , <<<"${4#*Name,}" | tr , "|")" ;;
		*"show account"*) echo "root|root|default root account"; echo "lab|org|the lab" ;;
		*"show user format=User,Admin"*) echo "root|Administrator"; echo "ann|None" ;;
		*"show association"*)
			n=$(tr -dc , <<<"${*#*format=}" | wc -c)
			pad=$(printf "%$((n - 4))s" "" | tr " " "|")
			echo "1|root||||${pad#|}1"
			echo "2|root|root|||${pad#|}1"
			echo "7|lab|||root|${pad#|}5"
			echo "9|lab|ann|||${pad#|}3"
			;;
		*dump*)
			tr "@" "\047" <<-END
				Cluster - @canis@:QOS=@normal@
				Parent - @root@
				Account - @lab@:Fairshare=5
				Parent - @lab@
				User - @ann@:Coordinator=@lab@:Fairshare=3
			END
			;;
		esac'
	fake sacct '
		case "$*" in
		--helpformat) echo JobID User Account State Submit Start End ;;
		*) tr "|" "\037" <<-END
			JobID|User|Account|State|Submit|Start|End
			3|ann|lab|COMPLETED|1790000000|1790000100|1790000200
		END
		esac'
	fake squeue 'echo "{\"jobs\": []}"'
	fake sshare 'true'
}
