/* Quickselect (Hoare). */
#include "common/base/select_kth.h"

static void swap(int64_t *a, int64_t *b)
{
	int64_t t = *a;

	*a = *b;
	*b = t;
}

int64_t select_kth(int64_t *v, size_t n, size_t k)
{
	size_t low = 0, high = n - 1;

	while (low < high) {
		int64_t pivot = v[low + (high - low) / 2];
		size_t i = low, j = high;

		while (i <= j) {
			while (v[i] < pivot)
				i++;
			while (v[j] > pivot)
				j--;
			if (i > j)
				break;
			swap(&v[i++], &v[j]);
			if (!j--)
				break;
		}
		if (k <= j && j != SIZE_MAX)
			high = j;
		else if (k >= i)
			low = i;
		else
			break;
	}
	return v[k];
}
