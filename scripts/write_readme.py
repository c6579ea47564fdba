"""Write anew what the README shows of the product: the picture of a curve, and an answer.

Look at the difference before you commit it.
"""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PICTURE = ROOT / "examples" / "order_server_calibrated.svg"
#: The report's page, whose dark tones the picture takes on a dark page.
CSS = ROOT / "advisor" / "report" / "report.css"


def picture():
    """The curve of the report, as a file that follows a light or a dark page by itself."""
    import advisor
    from advisor.report.curve_picture import response_curve

    found = advisor.review(advisor.load_config(ROOT / "examples" / "order_server_calibrated.toml"))
    drawn = response_curve(found).picture.labelled
    dark = CSS.read_text(encoding="utf-8").partition("prefers-color-scheme: dark")[2]
    tones = ";".join(
        f"{name}:{re.search(name + r': (#[0-9a-f]+)', dark)[1]}"
        for name in sorted(set(re.findall(r"var\((--[\w-]+)", drawn)))
    )
    style = f"<style>@media (prefers-color-scheme: dark) {{svg {{{tones}}}}}</style>"
    head, rest = drawn.split(">", 1)
    head = head.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" width="572" ', 1)
    return f"{head}>{style}{rest}\n"


def answered(readme):
    """The README with the answers that its commands give now, at 80 columns."""
    from tests.screens.screens import shown

    def again(block):
        said = shown(block[1].split()[1:], 80)
        return f"```\n$ {block[1]}\n{said}```"

    return re.sub(r"```\n\$ (qmodel .*)\n(?:.*\n)*?```", again, readme)


def main():
    PICTURE.write_text(picture(), encoding="utf-8")
    readme = ROOT / "README.md"
    readme.write_text(answered(readme.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
