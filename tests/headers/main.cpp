// SPDX-License-Identifier: BSL-1.0
// All objects of the header tests link into one program: no header defines a symbol that is not inline.
int main() {}
