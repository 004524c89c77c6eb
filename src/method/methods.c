// methods.c: the methods by name
#include "methods.h"

static const plMethodType* const types[pl_methodCount] = {
    [pl_methodNewton] = &plNewtonType,
    [pl_methodNewtonCg] = &plNewtonCgType,
    [pl_methodGradient] = &plGradientType,
};

const plMethodType* plMethod_GetType(plMethod method)
{
	return method >= 0 && method < pl_methodCount ? types[method] : NULL;
}

const char* plMethod_GetName(plMethod method)
{
	const plMethodType* type = plMethod_GetType(method);
	return type != NULL ? type->name : NULL;
}

bool plFindMethod(const char* name, plMethod* method)
{
	for (int i = 0; i < pl_methodCount; ++i)
		if (strcmp(types[i]->name, name) == 0)
		{
			*method = (plMethod)i;
			return true;
		}
	return false;
}

plSolverDef plDefaultSolverDef(plMethod method)
{
	const plMethodType* type = plMethod_GetType(method);
	PL_ASSERT(type != NULL, "a method of the enumeration");
	plSolverDef def = type->defaults;
	def.method = method;
	def.accept = 1e-3;
	def.cookie = PL_COOKIE(plSolverDef);
	return def;
}
