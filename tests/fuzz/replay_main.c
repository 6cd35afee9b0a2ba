/* Runs a fuzz target over the files given, for compilers without libFuzzer. */
#include "tests/fuzz/fuzz.h"

static uint8_t *read_file(const char *path, size_t *size)
{
	FILE *file = fopen(path, "rb");
	uint8_t *data = NULL;
	size_t room = 0, n;

	if (!file)
		return NULL;
	*size = 0;
	do {
		uint8_t *more = realloc(data, room += 65536);

		CHECK(more);
		data = more;
		n = fread(data + *size, 1, room - *size, file);
		*size += n;
	} while (n);
	fclose(file);
	return data;
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		size_t size;
		uint8_t *data = read_file(argv[i], &size);

		if (!data) {
			perror(argv[i]);
			return 1;
		}
		fprintf(stderr, "%s\n", argv[i]);
		LLVMFuzzerTestOneInput(data, size);
		free(data);
	}
	return 0;
}
