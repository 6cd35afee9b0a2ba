/*
 * slurm.conf and slurmdbd.conf, both with the same text; what follows a form
 * feed is a second file that can be included as `inc`. Slashes are taken out,
 * so that nothing but the scratch folder is read.
 */
#include "tests/fuzz/fuzz.h"

#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#include "common/conf/conf.h"

static char folder[] = "/tmp/bursar-fuzz-XXXXXX";

static const char *in_folder(struct arena *arena, const char *name)
{
	return arena_printf(arena, "%s/%s", folder, name);
}

static void remove_folder(void)
{
	struct arena arena;

	arena_init(&arena);
	remove(in_folder(&arena, "slurm.conf"));
	remove(in_folder(&arena, "slurmdbd.conf"));
	remove(in_folder(&arena, "inc"));
	remove(folder);
	arena_release(&arena);
}

static void make_folder(struct arena *arena)
{
	static int made;

	if (made)
		return;
	made = 1;
	CHECK(mkdtemp(folder));
	CHECK(!symlink("slurm.conf", in_folder(arena, "slurmdbd.conf")));
	atexit(remove_folder);
}

static void put(const char *path, const char *text, size_t size)
{
	FILE *file = fopen(path, "w");

	CHECK(file);
	CHECK(fwrite(text, 1, size, file) == size);
	CHECK(!fclose(file));
}

static void write_files(struct arena *arena, const uint8_t *data, size_t size)
{
	char *text = arena_alloc(arena, size + 1), *second;

	for (size_t i = 0; i < size; i++)
		text[i] = (char)(data[i] == '/' ? '_' : data[i]);
	second = memchr(text, '\f', size);
	if (!second)
		second = text + size;
	put(in_folder(arena, "slurm.conf"), text, (size_t)(second - text));
	put(in_folder(arena, "inc"), second, size - (size_t)(second - text));
}

static void look_up(const struct conf *conf)
{
	size_t marked = 0;

	for (size_t i = 0; i < conf->n_nodes; i++) {
		CHECK(conf_node_by_name(conf, conf->nodes[i].name) ==
			&conf->nodes[i]);
		CHECK(conf->nodes[i].cpus > 0);
	}
	for (size_t i = 0; i < conf->n_partitions; i++) {
		const struct conf_partition *p = &conf->partitions[i];

		CHECK(conf_partition_by_name(conf, p->name) == p);
		marked += p->is_default;
	}
	CHECK(marked <= 1);
	CHECK((conf_default_partition(conf) != NULL) == (marked == 1));
	CHECK(conf->policy.calc_period > 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct conf conf;
	struct conf_dbd dbd;
	struct err err = {0};
	struct arena arena;
	const char *path;

	arena_init(&arena);
	make_folder(&arena);
	write_files(&arena, data, size);
	path = in_folder(&arena, "slurm.conf");
	if (conf_load(&conf, path, &arena, &err))
		CHECK(*err.text);
	else
		look_up(&conf);
	err = (struct err){0};
	if (conf_load_dbd(&dbd, path, &arena, &err))
		CHECK(*err.text);
	else
		CHECK(dbd.present && dbd.archive_dir);
	arena_release(&arena);
	return 0;
}
