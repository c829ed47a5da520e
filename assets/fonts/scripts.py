"""Adds scripts of the world to the CJK face: Fallback.ttf.

usage: python3 scripts.py CJK.ttf NOTO_DIR OUT.ttf

CJK.ttf is what merge.py writes, NOTO_DIR holds the NotoSans*-Regular.ttf of
Debian's fonts-noto-core. Needs fontTools (Debian's python3-fonttools 4.38).
Of each Noto font come the characters of its script, without Latin, with all
shaping rules (GSUB, GPOS) and without hinting, scaled to the grid of the CJK
face. The measures of a line stay those of the CJK face. A font has at most
65,535 glyphs, and this one is full: another script needs another font.
"""
import os
import sys
import tempfile

from fontTools import merge, subset
from fontTools.ttLib import TTFont
from fontTools.ttLib.scaleUpem import scale_upem

SCRIPTS = {
    "Devanagari": [(0x0900, 0x097F), (0x25CC, 0x25CC)],
    "Arabic": [(0x0600, 0x06FF)],
    "Hebrew": [(0x0590, 0x05FF), (0xFB1D, 0xFB4F)],
    "Thai": [(0x0E00, 0x0E7F)],
    "Tamil": [(0x0B80, 0x0BFF)],
}


def part(font_path, unicodes, features):
    """Returns the part of a font that unicodes need."""
    o = subset.Options()
    o.layout_features, o.hinting, o.glyph_names = features, False, False
    o.legacy_kern, o.notdef_outline = False, not features
    o.name_IDs = [] if features else ["*"]
    if not features:
        o.drop_tables += ["GSUB", "GPOS", "GDEF"]
    font = subset.load_font(font_path, o)
    s = subset.Subsetter(o)
    s.populate(unicodes=unicodes)
    s.subset(font)
    return font


def main(cjk, noto, out):
    base = TTFont(cjk)
    have, units = set(base.getBestCmap()), base["head"].unitsPerEm
    with tempfile.TemporaryDirectory() as tmp:
        files = [os.path.join(tmp, "cjk.ttf")]
        part(cjk, have, []).save(files[0])
        for script, ranges in SCRIPTS.items():
            unicodes = [u for a, b in ranges for u in range(a, b + 1) if u not in have]
            font = part(os.path.join(noto, "NotoSans%s-Regular.ttf" % script), unicodes, ["*"])
            scale_upem(font, units)
            files.append(os.path.join(tmp, script + ".ttf"))
            font.save(files[-1])
        options = merge.Options()
        options.drop_tables = ["vmtx", "vhea"]
        font = merge.Merger(options=options).merge(files)
    font["post"].formatType = 3.0
    for table, fields in (("hhea", ("ascent", "descent", "lineGap")),
                          ("OS/2", ("sTypoAscender", "sTypoDescender", "sTypoLineGap", "usWinAscent", "usWinDescent"))):
        for field in fields:
            setattr(font[table], field, getattr(base[table], field))
    for record in list(font["name"].names):
        if record.nameID in (1, 3, 4, 6, 16, 18):  # neither is a Droid or a Noto font any more
            record.string = "ParleyFallback" if record.nameID == 6 else "Parley Fallback"
    font["head"].modified = base["head"].modified
    font.recalcTimestamp = False
    font.save(out)


main(*sys.argv[1:])
