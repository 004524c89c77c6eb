// error.c: broken contracts, errors with words
#include "base.h"

#include <stdatomic.h>
#include <stdio.h>

static _Atomic(plAssertFcn*) assertHandler;

void plSetAssertHandler(plAssertFcn* handler)
{
	atomic_store(&assertHandler, handler);
}

bool plAssertFailed(const char* condition, const char* words, const char* file, int line)
{
	plAssertFcn* handler = atomic_load(&assertHandler);
	if (handler != NULL)
		return handler(condition, words, file, line);
	fprintf(stderr, "pliant: %s:%d: broken contract: %s (%s)\n", file, line, words, condition);
	return false;
}

static void describe(plError* error, plResult code, const char* field, const char* format, va_list arguments)
{
	if (error == NULL)
		return;
	vsnprintf(error->message, sizeof error->message, format, arguments);
	error->code = code;
	error->field = field;
}

plResult plFail(plError* error, plResult code, const char* format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	describe(error, code, NULL, format, arguments);
	va_end(arguments);
	return code;
}

plResult plFailAt(plError* error, const char* field, const char* format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	describe(error, pl_errorInput, field, format, arguments);
	va_end(arguments);
	return pl_errorInput;
}
