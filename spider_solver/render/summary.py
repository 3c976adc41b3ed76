"""Win rates as a table for a terminal and as a plot. All functions are pure."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from ..records.record import KEY_LENGTH
from ..stats import CONFIDENCE, Group, Spread, Summary
from ..words import counted, visible
from .style import Style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_Cell = Callable[[Group], str]

MAX_NAMED = 20  # undecided deals, unwinnable deals or settings that the text names
PLOT_FORMATS = ("png", "svg", "pdf")
_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7")  # distinct for colour-blind readers
_LINE_STYLES = ("-", "--", "-.", ":")
_HARDEST = 5  # hardest deals that the text names
_TABLE_WIDTH = 1000  # characters; wide enough that rich never wraps a line


def summary_text(summary: Summary, style: Style, where_all: str = "") -> str:
    """The table, with a column for each group, and notes below it.

    where_all: a text that says where all deals of a shortened list are, such as
    ``see results.json``; empty for no text.
    """
    if not summary.groups:
        return "no results"
    lines = [_table(summary.groups, style)]
    lines.append(
        "\nAt least: undecided deals count as lost. At most: they count as won."
        f"\nInterval: Wilson's score interval at {CONFIDENCE:.0%}, its lower end for the lower rate"
        "\nand its upper end for the upper rate. It assumes that the deals are a random sample."
        "\nMoves do not include rows. A shorter solution may exist."
    )
    for group in summary.groups:
        for verdict, deals in (("unwinnable", group.unwinnable), ("undecided", group.undecided)):
            if deals:
                lines.append(f"{group.title}, {verdict}: {_deal_names(deals, where_all)}")
        lines.append(f"{group.title}, hardest (undecided first, then by states): {_hardest(group)}")
    lines += _notes(summary)
    return "\n".join(lines)


def _table(groups: Iterable[Group], style: Style) -> str:
    from rich import box
    from rich.console import Console
    from rich.table import Table

    table = Table(box=box.SIMPLE if style.unicode else box.ASCII2, pad_edge=False)
    table.add_column("")
    for group in groups:
        table.add_column(group.title, justify="right")
    for name, cell in _TABLE_ROWS:
        table.add_row(name, *map(cell, groups))
    output = io.StringIO()
    console = Console(
        file=output,
        width=_TABLE_WIDTH,
        force_terminal=style.color,
        color_system="standard" if style.color else None,
        no_color=not style.color,
        safe_box=False,
        legacy_windows=False,
    )
    console.print(table)
    return "\n".join(line.rstrip() for line in output.getvalue().splitlines() if line.strip())


def _cell(of: Callable[[Group], Spread | None], show: Callable[[Spread], str]) -> _Cell:
    """A function that shows one distribution of a group, or ``-`` if the group has none."""

    def cell(group: Group) -> str:
        spread = of(group)
        return "-" if spread is None else show(spread)

    return cell


def _mean(of: Callable[[Group], Spread | None], digits: int = 0) -> _Cell:
    return _cell(of, lambda spread: f"{spread.mean:,.{digits}f}")


def _median(of: Callable[[Group], Spread | None], digits: int = 0) -> _Cell:
    return _cell(of, lambda spread: f"{spread.quartiles[1]:,.{digits}f}")


def _quartiles(of: Callable[[Group], Spread | None]) -> _Cell:
    """A function that shows quartiles, such as ``110 / 117 / 126``."""
    return _cell(of, lambda spread: " / ".join(f"{quartile:.0f}" for quartile in spread.quartiles))


def _percent(share: float) -> str:
    return f"{share:.2%}"


_TABLE_ROWS: tuple[tuple[str, _Cell], ...] = (
    ("deals", lambda group: f"{group.deals:,}"),
    ("won", lambda group: f"{group.won:,}"),
    ("proved unwinnable", lambda group: f"{len(group.unwinnable):,}"),
    ("undecided", lambda group: f"{len(group.undecided):,}"),
    ("win rate, at least", lambda group: _percent(group.win_rate.lower)),
    ("win rate, at most", lambda group: _percent(group.win_rate.upper)),
    ("interval", lambda group: " to ".join(map(_percent, group.win_rate.interval))),
    ("moves, mean", _mean(lambda group: group.moves, 1)),
    ("moves, quartiles", _quartiles(lambda group: group.moves)),
    ("score, mean", _mean(lambda group: group.score, 1)),
    ("score, quartiles", _quartiles(lambda group: group.score)),
    ("states, mean", _mean(lambda group: group.states)),
    ("states, median", _median(lambda group: group.states)),
    ("seconds, mean", _mean(lambda group: group.seconds, 3)),
    ("seconds, median", _median(lambda group: group.seconds, 3)),
    ("seconds, all searches", lambda group: f"{group.total_seconds:,.1f}"),
)


def _deal_names(deals: tuple[str, ...], where_all: str) -> str:
    """The first deals of a list, and the number of the others."""
    more = len(deals) - MAX_NAMED
    named = ", ".join(deals[:MAX_NAMED])
    if more <= 0:
        return named
    return f"{named} and {more:,} more" + (f" ({where_all})" if where_all else "")


def _hardest(group: Group) -> str:
    return ", ".join(f"{deal.name} ({deal.states:,})" for deal in group.hardest[:_HARDEST])


def _notes(summary: Summary) -> Iterator[str]:
    if summary.repeated:
        yield (
            f"{counted(summary.repeated, 'repeated result')}: of several results for one deal, the"
            " first that is not undecided counts"
        )
    if len(summary.settings) > 1:
        settings = list(summary.settings.items())
        shown = [f"{visible(key, KEY_LENGTH)} ({number:,})" for key, number in settings[:MAX_NAMED]]
        if more := len(settings) - len(shown):
            shown.append(f"{more:,} more")
        yield f"results of several settings: {'; '.join(shown)}"


def plot(summary: Summary, file_format: str) -> bytes:
    """Two plots in one image: win rate against states searched, and the length of solutions.

    file_format: one of ``PLOT_FORMATS``.

    The same results always give the same bytes. Raises ImportError if matplotlib is not
    installed (extra ``plot``).
    """
    from matplotlib import rc_context
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(10, 4.2), layout="constrained")
    FigureCanvasAgg(figure)
    rates, lengths = figure.subplots(1, 2)
    _plot_win_rates(rates, summary.groups)
    _plot_lengths(lengths, summary.groups)
    output = io.BytesIO()
    # No dates and no random identifiers, so that the same results give the same file.
    metadata = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}.get(file_format)
    with rc_context({"svg.hashsalt": "spider-solver"}):
        figure.savefig(output, format=file_format, dpi=150, metadata=metadata)
    return output.getvalue()


def _plot_win_rates(axes: Axes, groups: Iterable[Group]) -> None:
    from matplotlib.ticker import EngFormatter, LogLocator, NullFormatter

    for index, group in enumerate(groups):
        if not group.won:
            continue
        assert group.states is not None
        states = sorted(group.states_won)
        percent = [100 * wins / group.deals for wins in range(1, len(states) + 1)]
        axes.step(
            [*states, max(group.states.maximum, states[-1])],
            [*percent, percent[-1]],
            where="post",
            label=f"{group.title}: {group.won:,} of {group.deals:,}",
            color=_COLOURS[index % len(_COLOURS)],
            linestyle=_LINE_STYLES[index % len(_LINE_STYLES)],
        )
    axes.set(xlabel="states searched", ylabel="deals won, %", ylim=(0, 102), title="Win rate")
    axes.set_xscale("log")
    axes.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axes.xaxis.set_major_formatter(EngFormatter(sep=""))
    axes.xaxis.set_minor_formatter(NullFormatter())
    axes.grid(alpha=0.3)
    if axes.lines:
        axes.legend(loc="lower right")


def _plot_lengths(axes: Axes, groups: Iterable[Group]) -> None:
    won = [group for group in groups if group.won]
    axes.set(ylabel="moves, rows not counted", title="Length of solutions")
    axes.grid(axis="y", alpha=0.3)
    if not won:
        return
    positions = range(1, len(won) + 1)
    boxes = axes.boxplot(
        [group.lengths for group in won],
        positions=positions,
        widths=0.5,
        showmeans=True,
        whis=(5, 95),
        patch_artist=True,
        medianprops={"color": "black"},
        meanprops={"marker": "D", "markerfacecolor": "white", "markeredgecolor": "black"},
        flierprops={"marker": ".", "markersize": 3, "alpha": 0.4},
    )
    for index, box in enumerate(boxes["boxes"]):
        box.set_facecolor(_COLOURS[index % len(_COLOURS)])
        box.set_alpha(0.5)
    axes.set_xticks(positions, [group.title for group in won])
    axes.set_xlabel("boxes: quartiles; whiskers: 5% to 95%; diamond: mean")
