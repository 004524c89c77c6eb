// stats.c: a line of stats.jsonl: what one step did, as a JSON object
//
// Fields in the order of plStepReport, but not its allocations; crossings and balance where the step has them; then the
// forces of what has a name, if anything has. What a step did to the world is the same in a resumed run as in one that
// was never stopped. What it cost this process is not: `ms`, and `factorisations`, since a process that resumes has no
// factor to go on with. The hash is a string of 16 hex digits, because a JSON number holds 53 bits only. Numbers read
// back as the same double. JSON has neither NaN nor infinity: a figure that is not finite (an energy that overflowed)
// is written as the largest double, so that nobody takes it for a small one.
#include "file.h"
#include "pliant/io.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

typedef struct Text
{
	char* text;
	size_t capacity;
	size_t length; // counts what did not fit as well
	bool comma;    // due before the next name
} Text;

static void put(Text* out, const char* text)
{
	size_t length = strlen(text);
	if (out->length < out->capacity)
	{
		size_t room = out->capacity - out->length;
		memcpy(out->text + out->length, text, length < room ? length : room);
	}
	out->length += length;
}

static void putField(Text* out, const char* name, const char* value)
{
	put(out, out->comma ? ",\"" : "\"");
	put(out, name);
	put(out, "\":");
	put(out, value);
	out->comma = true;
}

static double toFinite(double value)
{
	return isfinite(value) ? value : (value < 0.0 ? -DBL_MAX : DBL_MAX);
}

static void putNumber(Text* out, const char* name, double value)
{
	char text[PL_NUMBER_CAPACITY];
	plFormatNumber(toFinite(value), text);
	putField(out, name, text);
}

static void putCount(Text* out, const char* name, uint64_t value)
{
	char text[24];
	snprintf(text, sizeof text, "%" PRIu64, value);
	putField(out, name, text);
}

static void putFlag(Text* out, const char* name, bool value)
{
	putField(out, name, value ? "true" : "false");
}

static void putWord(Text* out, const char* name, const char* word)
{
	putField(out, name, "\"");
	put(out, word);
	put(out, "\"");
}

static void putProfile(Text* out, const plProfile* ms)
{
	putField(out, "ms", "{");
	out->comma = false;
	putNumber(out, "predict", ms->predict);
	putNumber(out, "collide", ms->collide);
	putNumber(out, "guess", ms->guess);
	putNumber(out, "colour", ms->colour);
	putNumber(out, "refresh", ms->refresh);
	putNumber(out, "minimise", ms->minimise);
	putNumber(out, "finish", ms->finish);
	putNumber(out, "total", ms->total);
	put(out, "}");
	out->comma = true;
}

// A name may have quotes and backslashes, but no control characters.
static void putName(Text* out, const char* name)
{
	put(out, out->comma ? ",\"" : "\"");
	for (const char* c = name; *c != '\0'; ++c)
		put(out, (const char[]){*c == '"' || *c == '\\' ? '\\' : *c, *c == '"' || *c == '\\' ? *c : '\0', '\0'});
	put(out, "\":");
	out->comma = true;
}

static void putReactions(Text* out, const plReaction* reactions, size_t count)
{
	putField(out, "reactions", "{");
	out->comma = false;
	for (size_t i = 0; i < count; ++i)
	{
		const double force[3] = {reactions[i].force.x, reactions[i].force.y, reactions[i].force.z};
		putName(out, reactions[i].name);
		for (int k = 0; k < 3; ++k)
		{
			char text[PL_NUMBER_CAPACITY];
			plFormatNumber(toFinite(force[k]), text);
			put(out, k == 0 ? "[" : ",");
			put(out, text);
		}
		put(out, "]");
	}
	put(out, "}");
	out->comma = true;
}

// Where the numbers of a balance stand
typedef struct Number
{
	const char* name;
	size_t offset;
} Number;

static void putGroup(Text* out, const char* name, const plBalance* balance, const Number* numbers)
{
	putField(out, name, "{");
	out->comma = false;
	for (; numbers->name != NULL; ++numbers)
	{
		double value;
		memcpy(&value, (const char*)balance + numbers->offset, sizeof value);
		putNumber(out, numbers->name, value);
	}
	put(out, "}");
	out->comma = true;
}

static void putBalance(Text* out, const plBalance* balance)
{
	static const Number stored[] = {
	    {"kinetic", offsetof(plBalance, stored.kinetic)},    {"gravity", offsetof(plBalance, stored.gravity)},
	    {"elastic", offsetof(plBalance, stored.elastic)},    {"springs", offsetof(plBalance, stored.springs)},
	    {"seams", offsetof(plBalance, stored.seams)},        {"energies", offsetof(plBalance, stored.energies)},
	    {"soft_pins", offsetof(plBalance, stored.softPins)}, {"contact", offsetof(plBalance, stored.contact)},
	    {"grips", offsetof(plBalance, stored.grips)},        {NULL, 0}};
	static const Number lost[] = {{"air", offsetof(plBalance, lost.air)},
	                              {"viscous", offsetof(plBalance, lost.viscous)},
	                              {"friction", offsetof(plBalance, lost.friction)},
	                              {"seams", offsetof(plBalance, lost.seams)},
	                              {"numerical", offsetof(plBalance, lost.numerical)},
	                              {NULL, 0}};
	static const Number work[] = {{"pins", offsetof(plBalance, work.pins)},
	                              {"soft_pins", offsetof(plBalance, work.softPins)},
	                              {"loads", offsetof(plBalance, work.loads)},
	                              {"colliders", offsetof(plBalance, work.colliders)},
	                              {"grabs", offsetof(plBalance, work.grabs)},
	                              {"seams", offsetof(plBalance, work.seams)},
	                              {"energies", offsetof(plBalance, work.energies)},
	                              {"projection", offsetof(plBalance, work.projection)},
	                              {"conversion", offsetof(plBalance, work.conversion)},
	                              {"residual", offsetof(plBalance, work.residual)},
	                              {NULL, 0}};
	putField(out, "balance", "{");
	out->comma = false;
	putGroup(out, "stored", balance, stored);
	putGroup(out, "lost", balance, lost);
	putGroup(out, "work", balance, work);
	putNumber(out, "error", plBalance_GetError(balance));
	put(out, "}");
	out->comma = true;
}

int plFormatStats(const plStepReport* report, char* text, size_t capacity)
{
	return plFormatStatsWith(report, NULL, 0, text, capacity);
}

int plFormatStatsWith(const plStepReport* report, const plReaction* reactions, size_t count, char* text,
                      size_t capacity)
{
	Text out = {text, capacity > 0 ? capacity - 1 : 0, 0, false};
	char hash[24];
	snprintf(hash, sizeof hash, "\"%016" PRIx64 "\"", report->hash);
	put(&out, "{");
	putCount(&out, "step", report->step);
	putNumber(&out, "time", report->time);
	putNumber(&out, "objective", report->objective);
	putNumber(&out, "kinetic", report->kinetic);
	putNumber(&out, "elastic", report->elastic);
	putNumber(&out, "potential", report->potential);
	putNumber(&out, "residual", report->residual);
	putNumber(&out, "relative_residual", report->relativeResidual);
	putNumber(&out, "force_scale", report->forceScale);
	putWord(&out, "method", plMethod_GetName(report->method));
	putWord(&out, "choice", plChoice_GetName(report->choice));
	putCount(&out, "iterations", (uint64_t)report->iterations);
	putCount(&out, "line_searches", (uint64_t)report->lineSearches);
	putCount(&out, "factorisations", (uint64_t)report->factorisations);
	putCount(&out, "epochs", (uint64_t)report->epochs);
	putFlag(&out, "converged", report->converged);
	putFlag(&out, "stalled", report->stalled);
	putCount(&out, "pairs", report->pairs);
	putCount(&out, "manifolds", report->manifolds);
	putCount(&out, "contacts", report->contacts);
	putNumber(&out, "penetration", report->penetration);
	putNumber(&out, "sunken", report->sunken);
	putCount(&out, "self_contacts", report->selfContacts);
	putNumber(&out, "gap", report->gap);
	putCount(&out, "searches", report->searches);
	putNumber(&out, "pin_lag", report->pinLag);
	putCount(&out, "colours", report->colours);
	putCount(&out, "asleep", report->asleep);
	putNumber(&out, "joint_error", report->jointError);
	putNumber(&out, "joint_angle_error", report->jointAngleError);
	putCount(&out, "broken_joints", report->brokenJoints);
	putNumber(&out, "stretch", report->stretch);
	putCount(&out, "inverted", report->inverted);
	if (report->hasCrossings)
		putCount(&out, "crossings", report->crossings);
	putCount(&out, "broken_stitches", report->brokenStitches);
	putField(&out, "hash", hash);
	if (report->hasBalance)
		putBalance(&out, &report->balance);
	putProfile(&out, &report->ms);
	if (count > 0)
		putReactions(&out, reactions, count);
	put(&out, "}");
	if (capacity > 0)
		text[out.length < out.capacity ? out.length : out.capacity] = '\0';
	return (int)out.length;
}
