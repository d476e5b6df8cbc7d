import makeBidi from 'bidi-js'
import type PDFDocument from 'pdfkit'
import { fontOf, openOutlines, replacement, type Weight } from './pdf-fonts.ts'

// as: the types describe the ES module, but Node loads the CommonJS one
const bidi = (makeBidi as unknown as typeof makeBidi.default)()

type Document = InstanceType<typeof PDFDocument>
type Piece = { text: string; file: string; outline: boolean; rightToLeft: boolean }
export type Placed = { x: number; y: number; size: number; weight?: Weight; color?: string }

function must<T>(value: T | null): T {
  if (value === null) throw new Error('no font has the replacement character')
  return value
}

/** Chinese, Japanese and Korean characters count as two. */
const widthOf = (character: string) => ((character.codePointAt(0) ?? 0) >= 0x1100 ? 2 : 1)
const roomOf = (text: string) => [...text].reduce((sum, character) => sum + widthOf(character), 0)

/** Wraps text into lines of at most `limit` characters, between words if possible. */
export function wrapText(text: string, most: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(/(?<=[\s@.-])/u)) {
    if (line && roomOf(line + word.trimEnd()) > most) {
      lines.push(line.trimEnd())
      line = ''
    }
    for (const character of word) {
      if (roomOf(line + character) > most && character.trim()) {
        lines.push(line.trimEnd())
        line = ''
      }
      line += character
    }
  }
  return [...lines, line.trimEnd()].filter(one => one !== '')
}

/** Splits a line from left to right into pieces of one direction and one font. */
function piecesOf(text: string, weight: Weight): Piece[] {
  const { levels, paragraphs } = bidi.getEmbeddingLevels(text)
  const pieces: Piece[] = []
  for (const index of bidi.getReorderedIndices(text, { levels, paragraphs })) {
    const code = text.codePointAt(index) ?? 0
    // The second half of a surrogate pair.
    if (code >= 0xdc00 && code <= 0xdfff) continue
    const rightToLeft = (levels[index] ?? 0) % 2 === 1
    const own = fontOf(code, weight)
    const character = own ? String.fromCodePoint(code) : replacement
    const font = own ?? must(fontOf(replacement.codePointAt(0) ?? 0, weight))
    const last = pieces.at(-1)
    if (last?.file !== font.file || last.rightToLeft !== rightToLeft)
      pieces.push({ ...font, rightToLeft, text: character })
    // The font reverses right-to-left text itself, so it needs logical order.
    else last.text = rightToLeft ? character + last.text : last.text + character
  }
  return pieces
}

/** Writes one line. With `align: 'right'` it ends at x. */
export async function writeLine(
  document: Document,
  text: string,
  { x, y, size, weight = 400, color = '#1c1c1c' }: Placed,
  align: 'left' | 'right' = 'left',
): Promise<void> {
  const drawn: Awaited<ReturnType<typeof prepare>>[] = []
  // In sequence: decompressing a font reuses the memory of the previous one.
  for (const piece of piecesOf(text, weight)) drawn.push(await prepare(document, piece, size, weight))
  let at = align === 'left' ? x : x - drawn.reduce((sum, { width }) => sum + width, 0)
  for (const { width, draw } of drawn) {
    document.fillColor(color)
    draw(at, y)
    at += width
  }
}

// No extra font features: they would split a run of words.
const layout = { lineBreak: false, features: [], baseline: 'alphabetic' as const }

async function prepare(document: Document, { text, file, outline }: Piece, size: number, weight: Weight) {
  if (!outline) {
    document.font(file).fontSize(size)
    const width = document.widthOfString(text, layout)
    const draw = (x: number, y: number) => {
      document.font(file).fontSize(size).text(text, x, y, layout)
    }
    return { width, draw }
  }
  const font = await openOutlines(file, weight)
  const scale = size / font.unitsPerEm
  const { glyphs } = font.layout(text)
  const draw = (x: number, y: number) => {
    let at = x
    for (const glyph of glyphs) {
      document.save().translate(at, y).scale(scale, -scale).path(glyph.path.toSVG()).fill().restore()
      at += glyph.advanceWidth * scale
    }
  }
  return { width: glyphs.reduce((sum, one) => sum + one.advanceWidth * scale, 0), draw }
}
