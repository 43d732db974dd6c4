#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""anew-single.hpp is, to the preprocessor, what the headers are of which it was made: under each set of switches the
same tokens in the same order.

    check_single_header.py SOURCE_ROOT [--thorough]    of the default file, or of more of them
    check_single_header.py SOURCE_ROOT --self-test     of small trees, with includes in every place

The compiler is CXX (g++).
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

SWITCHES = [(), ("-DANEW_PLATFORM_NONE", "-fno-exceptions", "-fno-rtti")]
# The umbrellas that need the standard library and Hana alone; of smithy_kotlin all includes stand inside an #if.
MORE = [("anew/anew.hpp",), ("anew/smithy_kotlin.hpp",), ("anew/aws.hpp", "anew/virtual.hpp"),
        ("anew/testing.hpp", "anew/hana.hpp", "anew/process.hpp")]


def tokens(folders, header, switches):
    command = os.environ.get("CXX", "g++").split() + ["-std=c++20", "-E", "-P", "-x", "c++", "-", *switches]
    command += [f"-I{folder}" for folder in folders]
    done = subprocess.run(command, input="".join(f'#include "{name}"\n' for name in header), text=True, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    return done.stdout.split() if done.returncode == 0 else done.stderr


def difference(of_file, of_headers):
    """What is wrong, or None."""
    if isinstance(of_headers, str) or isinstance(of_file, str):
        return of_headers if isinstance(of_headers, str) else of_file
    if of_file == of_headers:
        return None
    at = next((i for i, pair in enumerate(zip(of_file, of_headers)) if pair[0] != pair[1]),
              min(len(of_file), len(of_headers)))
    return (f"has {len(of_file)} tokens, not {len(of_headers)}; the first other one stands in "
            f"{' '.join(of_file[at - 5:at + 5])!r}, not {' '.join(of_headers[at - 5:at + 5])!r}")


def compare(single_header, root, names, switches, boost, with_boost=False):
    with tempfile.TemporaryDirectory(prefix="anew-single-") as top:
        text = single_header.single_header(names, None if with_boost else boost, root)
        (pathlib.Path(top) / "anew-single.hpp").write_text(text, encoding="utf-8")
        strays = [line for line in text.splitlines() if re.match(r"\s*#\s*include\s*<boost/", line)]
        if strays and not with_boost:
            return f"still includes {strays[0]}"
        return difference(tokens([top] + [boost] * with_boost, ["anew-single.hpp"], switches),
                          tokens([root / "include", boost], names, switches))


# Headers of a small tree, by name. Each is included by main.hpp, and says its own name when it is read.
TREES = {
    "once": {"main": '#include "anew/a.hpp"\n#include "anew/b.hpp"\n', "a": '#include "anew/b.hpp"\na\n', "b": "b\n"},
    "first inside an #if": {"main": '#if X\n#include "anew/a.hpp"\n#endif\n#include "anew/a.hpp"\n', "a": "a\n"},
    "inside both branches": {"main": '#ifdef Y\n#include "anew/a.hpp"\n#elif X\nx\n#include "anew/a.hpp"\n#else\n'
                                     '#include "anew/b.hpp"\n#endif\n#include "anew/b.hpp"\n',
                             "a": 'a\n#include "anew/b.hpp"\n', "b": "b\n"},
    "nested #if": {"main": '#if X\n#if defined(Y)\n#include "anew/a.hpp"\n#endif\n#include "anew/a.hpp"\n#endif\n'
                           '#include "anew/a.hpp"\n', "a": "a\n"},
    "all of a header inside an #if": {"main": '#include "anew/a.hpp"\n#include "anew/b.hpp"\n',
                                      "a": '#if X\n#include "anew/b.hpp"\na\n#endif\n', "b": "b\n"},
    "in a comment": {"main": '/* see\n#include "anew/b.hpp"\n// */\n#include "anew/a.hpp"\n// #include "anew/b.hpp"\n'
                             'char const* s = "/*";\n#include "anew/b.hpp"\n', "a": "a\n", "b": "b\n"},
    "a macro goes on": {"main": '#define M 1 \\\n  #include "anew/b.hpp"\n#include "anew/a.hpp"\n', "a": "a\n",
                        "b": "b\n"},
    "of the standard": {"main": '#if X\n#include <cstddef>\n#endif\n#include <cstddef>\n#include "anew/a.hpp"\n',
                        "a": "#include <cstddef>\n#include <cassert>\n#include <cassert>\na\n"},
    "assert() by another NDEBUG": {"main": '#include "anew/a.hpp"\n#define NDEBUG\n#include <cassert>\nassert(m)\n',
                                   "a": "#include <cassert>\na\n"},
    "a guard that ends early": {"main": '#include "anew/a.hpp"\n#include "anew/b.hpp"\n', "b": "b\n",
                                "a": '#endif\n#if X\n#include "anew/b.hpp"\n'},
}


def self_test(single_header):
    failures, count = 0, 0
    with tempfile.TemporaryDirectory(prefix="anew-single-") as top:
        for number, (what, tree) in enumerate(TREES.items()):
            root = pathlib.Path(top) / str(number)
            folder = root / "include/anew"
            (folder / "base/platform").mkdir(parents=True)
            (root / "LICENSE").write_text("the licence\n", encoding="utf-8")
            (folder / "base/platform/version.hpp").write_text('#define ANEW_VERSION_STRING "1"\n', encoding="utf-8")
            for name, text in tree.items():
                guard = f"ANEW_{name.upper()}_HPP"
                (folder / f"{name}.hpp").write_text(f"#ifndef {guard}\n#define {guard}\n{text}#endif\n",
                                                    encoding="utf-8")
            for switches in [(), ("-DX=1",), ("-DY",), ("-DX=1", "-DY")]:
                wrong = compare(single_header, root, ["anew/main.hpp"], switches, root, with_boost=True)
                count += 1
                if wrong:
                    failures += 1
                    print(f"self-test: {what}, {switches}: {wrong}")
    print(f"{count - failures} of {count} as expected")
    return 1 if failures else 0


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    sys.path.insert(0, str(root / "docs/packaging"))
    import single_header  # the script under test
    if "--self-test" in sys.argv:
        return self_test(single_header)
    boost = single_header.boost_in(["/usr/local/include", "/usr/include"])
    cases = [(single_header.DEFAULT, switches, False) for switches in SWITCHES]
    if "--thorough" in sys.argv:
        cases += [(names, switches, False) for names in MORE for switches in SWITCHES[0:1] + [("-fno-exceptions",)]]
        cases += [(single_header.DEFAULT, (), True)]
    failures = 0
    for names, switches, with_boost in cases:
        wrong = compare(single_header, root, names, switches, boost, with_boost)
        failures += wrong is not None
        print("single:", *names, *switches, "--with-boost" * with_boost, "is equal" if not wrong else wrong)
    print(f"{len(cases) - failures} of {len(cases)} files are, token by token, what their headers are")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
