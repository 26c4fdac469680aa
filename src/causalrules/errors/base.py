"""What all errors have in common: a text in parts, which every face tells in its own words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting as a sentence mentions it; every face (Python, terminal, page) has its own words for it.

    Parameters
    ----------
    name : str
        Its name in `Settings`, or that of an argument beside them.
    value : optional
        What the reader should set it to.
    is_subject : bool
        It is what the sentence is about, as in "bins must be …", not a means to an end.

    Examples
    --------
    >>> in_python(Setting("bins", "quantile:4")), in_python(Setting("drop"))
    ("bins='quantile:4'", 'drop=')
    """

    name: str
    value: object = None
    is_subject: bool = False


def in_python(setting: Setting) -> str:
    """A setting as people write it in Python."""
    if setting.is_subject:
        return setting.name
    return f"{setting.name}=" if setting.value is None else f"{setting.name}={setting.value!r}"


class CausalRulesError(Exception):
    """Base of all errors raised on purpose; its text says what to do next.

    The text comes in parts, texts and settings, which are joined: `str` gives
    it in the words of Python, `told` in those of another face.

    Examples
    --------
    >>> error = CausalRulesError("nobody is ill. Say with ", Setting("missing"), " which values are missing.")
    >>> print(error)
    nobody is ill. Say with missing= which values are missing.
    >>> error.in_words(lambda setting: f"--{setting.name}")
    'nobody is ill. Say with --missing which values are missing.'
    """

    is_usage_mistake = False
    """Whether something was asked for in a way that it cannot be: the terminal ends with 2, not with 1."""

    parts: tuple[str | Setting, ...] = ()

    def __init__(self, *parts: str | Setting) -> None:
        self.parts = parts
        super().__init__(str(self))

    def __str__(self) -> str:
        return self.in_words(in_python)

    def in_words(self, words: Callable[[Setting], str]) -> str:
        """The text, with settings in the words that the function has for them."""
        return "".join(words(part) if isinstance(part, Setting) else part for part in self.parts)

    def _render_traceback_(self) -> list[str]:
        """What IPython and Jupyter print: the sentence, not the calls that led to it."""
        return [f"{type(self).__name__}: {self}"]

    def __reduce__(self) -> tuple[Any, ...]:
        # The default calls the class with the finished text, which is not what constructors take.
        return _restored, (type(self), self.args, self.__dict__)


def _restored(kind: type[CausalRulesError], args: tuple[Any, ...], state: dict[str, Any]) -> CausalRulesError:
    """An error that was pickled: the same text and attributes, without building the text anew."""
    # Where ValueError comes before OSError among the bases, Python still wants the one that has fields.
    maker: type[BaseException] = OSError if issubclass(kind, OSError) else kind
    error = maker.__new__(kind)
    error.args = args
    error.__dict__.update(state)
    return error
