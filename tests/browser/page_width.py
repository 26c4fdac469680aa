"""Whether a page fits into its window: what sticks out is read by nobody."""


def assert_nothing_is_wider_than(page, width):
    """Neither the page nor any part of it, but for what scrolls in itself."""
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    beyond = page.evaluate(
        """width => [...document.querySelectorAll('.page *')]
            .filter(node => !node.closest('svg, .scroll, pre'))
            .filter(node => node.getBoundingClientRect().right > width + 1)
            .map(node => node.className)""",
        width,
    )
    assert beyond == []
