# The store of 0.1.0.db.gz: its programs made it with these commands (sh make.sh), and slurm.conf.
# Its last listings are in 0.1.0.listings.
at() { export BURSAR_NOW=$1; shift; "$@" || echo "failed: $*"; }
T=1763000000   # 2025-11-13T02:13:20 UTC
d() { date -u -d @$1 +%Y-%m-%dT%H:%M:%S; }
at $T sacctmgr -iQ add account physics,music Fairshare=30 Description=science GrpTRES=cpu=32,gres/gpu=4
at $T sacctmgr -iQ add account optics parent=physics Fairshare=2 MaxJobs=10 GrpTRESMins=cpu=100000
at $T sacctmgr -iQ add qos high Priority=100 MaxTRESPerUser=cpu=16 MaxWall=1-0 Flags=DenyOnLimit
at $T sacctmgr -iQ add qos kept Flags=NoDecay
at $T sacctmgr -iQ modify qos high set preempt=normal
at $T sacctmgr -iQ add user ann,bob account=physics
at $T sacctmgr -iQ add user cy account=optics QOS=normal,high DefaultQOS=high
at $T sacctmgr -iQ add user dee account=music AdminLevel=Operator QOS=+kept
at $T sacctmgr -iQ add user dee account=optics Fairshare=5
at $T sacctmgr -iQ add coordinator account=physics names=bob
at $T sacctmgr -iQ add user ann wckey=laser
at $T srecord cluster tres=cpu=32,mem=64000,gres/gpu=8
i=0
for u in ann bob cy dee ann bob cy dee; do
  i=$((i+1)) s=$((T + i * 90000)) a=physics q=normal w=
  [ $u = cy ] && a=optics q=high; [ $u = dee ] && a=music q=kept; [ $u = ann ] && w=wckey=laser
  at $s srecord job id=$((100+i)) user=$u account=$a qos=$q $w name=run$i cpus=$((i % 3 + 1)) mem=2000 timelimit=$((i * 60))
  at $((s+600)) srecord job id=$((100+i)) start=now nodelist=n$((i % 4 + 1))
  at $((s+1200)) srecord step job=$((100+i)) step=0 start=$(d $((s+620))) end=now maxrss=$((i*40))M averss=$((i*30))M cputime=500 systime=20 tasks=2 maxrss_node=n$((i % 4 + 1)) maxrss_task=1 avecpu=260 mincpu=200 maxdiskread=7M avediskread=5M maxvmsize=900M
  at $((s+1300+i*600)) srecord job id=$((100+i)) end=now state=$([ $i = 5 ] && echo FAILED exit=1 || echo COMPLETED)
done
N=$((T + 900000))
at $N sreport -nP cluster utilization start=2025-11-13 end=2025-11-15 >/dev/null
at $N sacctmgr -iQ modify user bob account=physics set rawusage=0
at $((N+10)) sacctmgr -iQ modify user ann set fairshare=7 until=2026-01-01
at $((N+20)) sacctmgr -iQ add user eve account=music
at $((N+30)) sacctmgr -i undo
at $((N+40)) sacctmgr -iQ delete user cy account=optics
at $((N+50)) srecord node node=n4 state=down reason=fan
at $((N+60)) srecord job id=120 user=ann account=physics cpus=4 gpus=2 mem=4000 timelimit=600 start=now nodelist=n1
at $((N+160)) srecord job id=120 state=suspended
at $((N+360)) srecord job id=120 state=running
at $((N+400)) srecord job id=121 user=bob account=physics cpus=32 timelimit=60
at $((N+410)) srecord job array=1-4%2 id=122 user=dee account=optics cpus=1 timelimit=30 nice=5
at $((N+420)) srecord job id=123 user=bob account=physics hold=1 timelimit=30
at $((N+430)) splan --record >/dev/null
