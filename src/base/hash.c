// hash.c: 64-bit hash of bytes: eight at a time, each word mixed by multiplication and rotation, finished by avalanche
//
// For comparing states, not for cryptography. Constants: FNV-1a's prime and the finaliser of splitmix64
// (Steele, Lea, Flood 2014).
#include "base.h"

static uint64_t mix(uint64_t h, uint64_t word)
{
	h = (h ^ word) * 0x9e3779b97f4a7c15ull;
	return (h << 27) | (h >> 37);
}

uint64_t plHash(uint64_t seed, const void* data, size_t bytes)
{
	const unsigned char* p = data;
	uint64_t h = seed ^ (uint64_t)bytes * 0x100000001b3ull;
	for (; bytes >= 8; bytes -= 8, p += 8)
	{
		uint64_t word;
		memcpy(&word, p, 8);
		h = mix(h, word);
	}
	if (bytes > 0)
	{
		uint64_t word = 0;
		memcpy(&word, p, bytes);
		h = mix(h, word);
	}
	h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9ull;
	h = (h ^ (h >> 27)) * 0x94d049bb133111ebull;
	return h ^ (h >> 31);
}
