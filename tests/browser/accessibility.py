"""What axe says of a page: can people use it who do not see, or hardly, or have only a keyboard?"""

ONLY_COMPLAINTS = {"resultTypes": ["violations"]}
"""Without a description of every element that is as it should be, which takes axe half of its time."""


def complaints(page, *schemes, but=()):
    """Rules that the page breaks, each with its first places, in these color schemes or in the page's own.

    Colors follow the reader's wish by style sheets alone, so a page that is open
    changes them as one that is opened anew would. Impacts in `but` do not count.
    """
    from axe_playwright_python.sync_playwright import Axe

    said = []
    for scheme in schemes or (None,):
        if scheme:
            page.emulate_media(color_scheme=scheme)
        said += [
            (scheme, one["id"], [node["html"][:200] for node in one["nodes"]][:3])
            for one in Axe().run(page, options=ONLY_COMPLAINTS).response["violations"]
            if one["impact"] not in but
        ]
    return said
