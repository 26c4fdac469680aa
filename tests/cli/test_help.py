"""What ``--help`` shows: groups in order, examples that name real options, completion for the shell."""

import shlex

import click
import pytest

from causalrules.cli.commands import app
from causalrules.cli.help_text import COMMAND_GROUPS, EXAMPLES, GROUPS
from causalrules.cli.options import OF_THE_PAPER, SETTINGS
from causalrules.domain.setting_fields import option_of


def commands(group=app, before=""):
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from commands(command, f"{before}{name} ")
        else:
            yield f"{before}{name}", command


COMMANDS = dict(commands())


def help_of(name):
    command = COMMANDS[name]
    with click.Context(command, info_name=f"causalrules {name}") as context:
        return command.get_help(context)


@pytest.mark.parametrize("name", ["mine", "test", "paper mine", "paper test"])
def test_options_stand_in_groups_in_order(name):
    lines = help_of(name).splitlines()
    places = [lines.index(f"{group}:") for group in GROUPS]
    assert places == sorted(places)
    assert places[-1] < lines.index("Options:") < lines.index("Examples:")


def n_lines_of(name, text):
    option = f"  {option_of(name)} "
    return sum(line.startswith(option) or line == option.rstrip() for line in text.splitlines())


def test_every_setting_stands_in_one_group_only():
    default, paper = help_of("mine"), help_of("paper mine")
    for name in {*SETTINGS, *OF_THE_PAPER}:
        assert n_lines_of(name, default) == (name in SETTINGS), name
        assert n_lines_of(name, paper) == (name in OF_THE_PAPER), name


def test_every_example_belongs_to_a_command_and_names_its_options():
    for name, examples in EXAMPLES.items():
        options = {text for one in COMMANDS[name].params for text in (*one.opts, *one.secondary_opts)}
        assert len(examples) == 2
        for example in examples:
            words = shlex.split(example)
            assert words[0] == "causalrules"
            assert " ".join(words[1:]).startswith(name)
            assert {word for word in words if word.startswith("-") and len(word) > 1} <= options, example


@pytest.mark.parametrize("name", sorted(EXAMPLES))
def test_examples_are_printed_whole(name):
    text = help_of(name)
    for example in EXAMPLES[name]:
        assert f"  {example}\n" in f"{text}\n"


def test_a_shell_completes_the_choices_of_an_option():
    (option,) = (one for one in COMMANDS["mine"].params if one.name == "engine")
    with click.Context(COMMANDS["mine"], info_name="mine") as context:
        found = [item.value for item in option.shell_complete(context, "s")]
    assert found == ["streaming", "spark"]


def test_the_first_screen_has_every_command_under_a_heading_with_a_whole_sentence():
    with click.Context(app, info_name="causalrules", terminal_width=80) as context:
        out = app.get_help(context)
    grouped = [name for names in COMMAND_GROUPS.values() for name in names]
    assert sorted(grouped) == sorted(app.commands)
    assert all(f"\n{heading}:\n" in out for heading in COMMAND_GROUPS)
    assert "..." not in out.partition("\n")[2]
    assert "\nTo begin:\n" in out
    assert max(map(len, out.splitlines())) <= 80
