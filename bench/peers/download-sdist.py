"""Downloads the newest source distribution of a project, with pip's own configuration, and runs nothing of it.

`pip download` would run the build of the project for its metadata, which is code that nobody has looked at.

    python3 download-sdist.py 'name==1.0' FOLDER
"""

import os
import sys

from pip._internal.commands import create_command


def main(requirement: str, folder: str) -> None:
    name, _, version = requirement.partition("==")
    command = create_command("download")
    options, _ = command.parse_args(["--quiet", "--no-deps", "--no-binary", ":all:", name])
    with command.main_context():
        session = command.get_default_session(options)
        finder = command._build_package_finder(options=options, session=session)
        found = finder.find_all_candidates(name)
        best = max(
            (one for one in found if (str(one.version) == version if version else not one.version.is_prerelease)),
            key=lambda one: one.version,
            default=None,
        )
        if best is None:
            open(os.path.join(folder, "none"), "w").close()
            return
        response = session.get(best.link.url_without_fragment, timeout=60)
        response.raise_for_status()
        part = os.path.join(folder, best.link.filename + ".part")
        with open(part, "wb") as file:
            file.write(response.content)
        os.rename(part, part.removesuffix(".part"))


main(*sys.argv[1:])
