#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Makes the files of a release: the sources, a list of what they are made of, and checksums.

    release.py TO [REVISION]

REVISION is the tag of the release. A commit (HEAD, if you name none) gives a trial. TO gets

    anew-VERSION.tar.gz      the files of that commit
    anew-VERSION.spdx.json   their checksums and licences, as SPDX 2.3
    SHA256SUMS               of both

The bytes depend on the commit alone: not on the clone, its settings, the time, the time zone or the user. The version
is that of meson.build in the commit.
"""
import gzip
import hashlib
import io
import json
import os
import pathlib
import re
import subprocess
import sys
import tarfile
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
LICENCE = re.compile(rb"SPDX-License-Identifier: ([\w.-]+)")
# What the headers include of others: name, licence, whether all of anew needs it, the headers that include it.
NEEDED = [
    ("Boost.Hana", "BSL-1.0", True, "every header, through anew/strategy"),
    ("Boost.Asio", "BSL-1.0", False, "anew/asio.hpp, anew/beast.hpp"),
    ("Boost.Beast", "BSL-1.0", False, "anew/beast.hpp"),
    ("gRPC", "Apache-2.0", False, "anew/grpc.hpp"),
    ("hiredis", "BSD-3-Clause", False, "anew/redis.hpp"),
    ("libcurl", "curl", False, "anew/curl.hpp"),
    ("nlohmann-json", "MIT", False, "the headers below anew/text/json"),
    ("OpenSSL", "Apache-2.0", False, "anew/bridges/redis/redis_tls.hpp"),
    ("range-v3", "BSL-1.0", False, "anew/schedule.hpp"),
]


def git(*arguments, at=ROOT, **options):
    done = subprocess.run(["git", "-C", str(at), *arguments], capture_output=True, check=False, **options)
    if done.returncode != 0:
        raise SystemExit(f"release.py: git {arguments[0]}: {done.stderr.decode(errors='replace').strip()}")
    return done.stdout


def version_of(commit):
    text = git("show", f"{commit}:meson.build").decode()
    found = re.search(r"^project\('anew',[^)]*?\bversion: '([^']+)'", text, re.M)
    if not found:
        raise SystemExit("release.py: meson.build states no version")
    return found.group(1)


def check_tag(revision, commit, version):
    """The tag rule of docs/packaging/release.md; says whether this is a trial."""
    if subprocess.run(["git", "-C", str(ROOT), "show-ref", "--verify", "--quiet", f"refs/tags/{revision}"],
                      check=False).returncode != 0:
        return True
    if git("cat-file", "-t", f"refs/tags/{revision}").decode().strip() != "tag":
        raise SystemExit(f"release.py: {revision} is a lightweight tag. Make an annotated one: git tag -a {revision}")
    if revision != f"v{version}":
        raise SystemExit(f"release.py: the tag of version {version} is v{version}, not {revision}")
    changes = git("show", f"{commit}:CHANGELOG.md").decode()
    if not re.search(rf"^## \[{re.escape(version)}\] - \d{{4}}-\d\d-\d\d$", changes, re.M):
        raise SystemExit(f"release.py: CHANGELOG.md has no date for {version}")
    return False


def archive(commit, prefix):
    """An uncompressed tar. It is made in a clone of its own, because settings and attributes of a clone change it."""
    alone = {**os.environ, "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull, "GIT_ATTR_NOSYSTEM": "1"}
    with tempfile.TemporaryDirectory(prefix="anew-release-") as top:
        clone = pathlib.Path(top) / "clone.git"
        subprocess.run(["git", "clone", "--quiet", "--bare", "--shared", "--template=", str(ROOT), str(clone)],
                       check=True)
        return git("-c", "tar.umask=0022", "-c", f"core.attributesFile={os.devnull}", "archive", "--format=tar",
                   f"--prefix={prefix}/", commit, at=clone, env=alone)


def files_of(tar, prefix):
    with tarfile.open(fileobj=io.BytesIO(tar)) as opened:
        for member in opened:
            if member.isfile():
                yield member.name.removeprefix(prefix + "/"), opened.extractfile(member).read()
            elif not member.isdir():
                raise SystemExit(f"release.py: {member.name} is neither a file nor a folder")


def sbom(tar, packed, prefix, version, commit, created):
    """SPDX 2.3, with each file."""
    files, relations = [], [("SPDXRef-DOCUMENT", "DESCRIBES", "SPDXRef-anew")]
    for number, (name, content) in enumerate(sorted(files_of(tar, prefix)), 1):
        licence = LICENCE.search(content[:400])
        licence = licence.group(1).decode() if licence else "NOASSERTION"
        files.append({
            "SPDXID": f"SPDXRef-File-{number}", "fileName": "./" + name,
            "checksums": [{"algorithm": "SHA1", "checksumValue": hashlib.sha1(content).hexdigest()},
                          {"algorithm": "SHA256", "checksumValue": hashlib.sha256(content).hexdigest()}],
            "licenseConcluded": licence, "licenseInfoInFiles": [licence], "copyrightText": "NOASSERTION"})
        relations.append(("SPDXRef-anew", "CONTAINS", files[-1]["SPDXID"]))
    sha1s = sorted(file["checksums"][0]["checksumValue"] for file in files)
    digest = hashlib.sha256(packed).hexdigest()
    packages = [{
        "SPDXID": "SPDXRef-anew", "name": "anew", "versionInfo": version, "downloadLocation": "NOASSERTION",
        "packageFileName": f"{prefix}.tar.gz", "checksums": [{"algorithm": "SHA256", "checksumValue": digest}],
        "filesAnalyzed": True,
        "packageVerificationCode": {"packageVerificationCodeValue": hashlib.sha1("".join(sha1s).encode()).hexdigest()},
        "licenseConcluded": "BSL-1.0", "licenseDeclared": "BSL-1.0",
        "licenseInfoFromFiles": sorted({file["licenseConcluded"] for file in files} - {"NOASSERTION"}),
        "copyrightText": "NOASSERTION", "primaryPackagePurpose": "SOURCE", "sourceInfo": f"commit {commit}",
        "externalRefs": [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",
                          "referenceLocator": f"pkg:generic/anew@{version}?checksum=sha256:{digest}"}]}]
    for name, licence, always, included_by in NEEDED:
        packages.append({
            "SPDXID": f"SPDXRef-{name}", "name": name, "downloadLocation": "NOASSERTION", "filesAnalyzed": False,
            "licenseConcluded": licence, "licenseDeclared": licence, "copyrightText": "NOASSERTION",
            "comment": f"not contained; included by {included_by}"})
        relations.append(("SPDXRef-anew", "DEPENDS_ON", f"SPDXRef-{name}") if always else
                         (f"SPDXRef-{name}", "OPTIONAL_DEPENDENCY_OF", "SPDXRef-anew"))
    return {
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": prefix,
        "documentNamespace": f"https://spdx.org/spdxdocs/{prefix}-{digest}",
        "creationInfo": {"created": created, "creators": [f"Tool: anew-release-{version}"]},
        "packages": packages, "files": files,
        "relationships": [{"spdxElementId": a, "relationshipType": how, "relatedSpdxElement": b}
                          for a, how, b in relations]}


def main():
    if len(sys.argv) not in (2, 3) or sys.argv[1].startswith("-"):
        raise SystemExit(__doc__)
    to, revision = pathlib.Path(sys.argv[1]), (sys.argv[2:] or ["HEAD"])[0]
    commit = git("rev-parse", "--verify", "--end-of-options", revision + "^{commit}").decode().strip()
    version = version_of(commit)
    trial = check_tag(revision, commit, version)
    seconds = int(git("show", "--no-patch", "--format=%ct", commit))
    prefix = f"anew-{version}"

    tar = archive(commit, prefix)
    packed = io.BytesIO()
    with gzip.GzipFile(filename="", mode="wb", compresslevel=9, fileobj=packed, mtime=seconds) as out:
        out.write(tar)
    packed = packed.getvalue()
    created = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))
    described = json.dumps(sbom(tar, packed, prefix, version, commit, created), indent=1, ensure_ascii=False) + "\n"

    to.mkdir(parents=True, exist_ok=True)
    made = {f"{prefix}.tar.gz": packed, f"{prefix}.spdx.json": described.encode()}
    made["SHA256SUMS"] = "".join(f"{hashlib.sha256(content).hexdigest()}  {name}\n"
                                 for name, content in sorted(made.items())).encode()
    for name, content in made.items():
        (to / name).write_bytes(content)
        print(to / name, len(content), "bytes")
    print("uncompressed:", hashlib.sha256(tar).hexdigest())
    if trial:
        print(f"A trial: {revision} is no tag. A release has the tag v{version}.")


if __name__ == "__main__":
    main()
