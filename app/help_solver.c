// help_solver.c: the settings of solvers as a part of --help, out of the table in pliant/options.h
#include "app.h"

#include <stdio.h>
#include <string.h>

enum
{
	keyWidth = 15, // of the column of keys
	lineWidth = 118
};

// Breaks the line where it gets too long, at a space.
static void printBroken(const char* text)
{
	size_t room = lineWidth - keyWidth - 2;
	while (strlen(text) > room)
	{
		size_t length = room;
		while (length > 0 && text[length] != ' ')
			--length;
		printf("  %-*s%.*s\n", keyWidth, "", (int)length, text);
		text += length + 1;
	}
	printf("  %-*s%s\n", keyWidth, "", text);
}

void plApp_PrintSolverSettings(void)
{
	const plSolverOption* option;
	char owners[256], usual[512], line[1024];
	printf("\nSettings of solvers: --set solver.KEY=VALUE, or \"solver\": { KEY: VALUE } in the scene\n");
	for (int i = 0; (option = plGetSolverOption(i)) != NULL; ++i)
	{
		printf("  %-*s%s\n", keyWidth, option->key, plSolverOption_DescribeKind(option, line, sizeof line));
		printBroken(option->help);
		plSolverOption_DescribeOwners(option, owners, sizeof owners);
		plSolverOption_DescribeDefault(option, usual, sizeof usual);
		snprintf(line, sizeof line, "of %s; default: %s", owners, usual);
		printBroken(line);
	}
}
