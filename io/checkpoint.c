// checkpoint.c: the state of a world after a step, on disk
//
//   byte  0   "plcheck\n"
//         8   version (u64), now 3
//        16   step (u64)
//        24   samples in each .pc2 (u64)
//        32   samples in each .mdd (u64)
//        40   bodies (u64)
//        48   n, bytes of names (u64)
//        56   m, bytes of state (u64)
//        64   k, meshes of the scene (u64)
//        72   a hash of each mesh (u64)                          8 k bytes
//   72+8k     names of the bodies, each ended by a zero byte     n bytes
//   72+8k+n   state as plWorld_SaveState gives it                m bytes
//   72+8k+n+m hash of all bytes before it (u64)
//
// Little-endian. The names tell which files in the folder belong to the run. The hashes tell that a file of a mesh is
// no longer what it was, also if it has as many vertices.
#include "checkpoint.h"

#include "file.h"

#include <stdlib.h>
#include <string.h>

#define MAGIC "plcheck\n"
#define VERSION 3u
#define HASH_SEED 0x706c69616e743031ull

typedef struct Header
{
	char magic[8];
	uint64_t version;
	uint64_t step;
	uint64_t samples[2];
	uint64_t bodyCount;
	uint64_t nameBytes;
	uint64_t stateBytes;
	uint64_t meshCount;
} Header;

_Static_assert(sizeof(Header) == 72, "the header has no gaps");

static uint64_t hashAll(const Header* header, const void* meshes, const void* names, const void* state)
{
	uint64_t hash = plFile_Hash(HASH_SEED, header, sizeof *header);
	hash = plFile_Hash(hash, meshes, header->meshCount * sizeof(uint64_t));
	hash = plFile_Hash(hash, names, header->nameBytes);
	return plFile_Hash(hash, state, header->stateBytes);
}

plResult plCheckpoint_Write(const char* path, const plCheckpoint* checkpoint, plError* error)
{
	Header header = {.version = VERSION,
	                 .step = checkpoint->step,
	                 .samples = {checkpoint->samples[0], checkpoint->samples[1]},
	                 .bodyCount = checkpoint->bodyCount,
	                 .nameBytes = checkpoint->nameBytes,
	                 .stateBytes = checkpoint->stateBytes,
	                 .meshCount = checkpoint->meshCount};
	memcpy(header.magic, MAGIC, sizeof header.magic);
	uint64_t hash = hashAll(&header, checkpoint->meshes, checkpoint->names, checkpoint->state);
	plFile file;
	plResult result = plFile_Open(&file, path, error);
	if (result != pl_success)
		return result;
	plFile_Write(&file, &header, sizeof header);
	plFile_Write(&file, checkpoint->meshes, checkpoint->meshCount * sizeof(uint64_t));
	plFile_Write(&file, checkpoint->names, checkpoint->nameBytes);
	plFile_Write(&file, checkpoint->state, checkpoint->stateBytes);
	plFile_Write(&file, &hash, sizeof hash);
	return plFile_Commit(&file, error);
}

// Do the parts have the sizes that the header states, with `room` bytes for all of them?
static bool sizesFit(const Header* header, size_t room)
{
	if (header->meshCount > room / sizeof(uint64_t))
		return false;
	room -= header->meshCount * sizeof(uint64_t);
	return header->nameBytes <= room && header->stateBytes == room - header->nameBytes;
}

// The names must be as many zero-ended texts as there are bodies.
static bool namesAreWhole(const char* names, uint64_t bytes, uint64_t count)
{
	uint64_t ends = 0;
	for (uint64_t i = 0; i < bytes; ++i)
		ends += names[i] == '\0';
	return ends == count && (bytes == 0 || names[bytes - 1] == '\0');
}

plResult plCheckpoint_Read(const char* path, plCheckpoint* checkpoint, plError* error)
{
	*checkpoint = (plCheckpoint){0};
	size_t bytes;
	char* data = plFile_ReadAll(path, &bytes, error);
	if (data == NULL)
		return error != NULL ? error->code : pl_errorFile;
	Header header;
	const char* reason = NULL;
	size_t room = bytes >= sizeof header + 8 ? bytes - sizeof header - 8 : 0;
	if (bytes < sizeof header + 8)
		reason = "is cut off";
	else
		memcpy(&header, data, sizeof header);
	if (reason == NULL && memcmp(header.magic, MAGIC, sizeof header.magic) != 0)
		reason = "is not a checkpoint of pliant";
	else if (reason == NULL && header.version != VERSION)
		reason = "was written by another version of pliant";
	else if (reason == NULL && !sizesFit(&header, room))
		reason = "is cut off or damaged: its size is not what it states";
	const char *meshes = data + sizeof header, *names = NULL, *state = NULL;
	if (reason == NULL)
	{
		names = meshes + header.meshCount * sizeof(uint64_t);
		state = names + header.nameBytes;
		uint64_t hash;
		memcpy(&hash, state + header.stateBytes, sizeof hash);
		if (hash != hashAll(&header, meshes, names, state) || !namesAreWhole(names, header.nameBytes, header.bodyCount))
			reason = "is damaged: its hash does not fit";
	}
	if (reason != NULL)
	{
		free(data);
		return plFile_Fail(error, pl_errorInput, "%s: %s", path, reason);
	}
	*checkpoint = (plCheckpoint){.step = header.step,
	                             .samples = {header.samples[0], header.samples[1]},
	                             .bodyCount = header.bodyCount,
	                             .meshes = (const uint64_t*)(const void*)meshes, // at byte 72 of a malloc
	                             .meshCount = header.meshCount,
	                             .names = names,
	                             .nameBytes = header.nameBytes,
	                             .state = state,
	                             .stateBytes = header.stateBytes,
	                             .owner = data};
	return pl_success;
}

void plCheckpoint_Free(plCheckpoint* checkpoint)
{
	free(checkpoint->owner);
	*checkpoint = (plCheckpoint){0};
}
