/** A part of a document under one heading, or a piece of a long one. */
export type TextSection = {
  /** Path of its file, relative to the documents. */
  page: string
  /** The headings above it and its own, outermost first. */
  headings: readonly string[]
  text: string
}

const HEADING = /^(#{1,4}) +(.+?)\s*$/
const FENCE = /^\s*(```|~~~)/
/** Maximum characters of a piece, short enough to show a match as a whole. A longer line is a piece by itself. */
const PIECE_MAX = 2_000

/**
 * Splits a Markdown text into the sections under its headings, and long sections, such as tables, into pieces at line ends.
 * Lines inside code blocks are not headings. Source: CommonMark §4.2.
 */
export function splitSections(page: string, markdown: string): TextSection[] {
  const sections: TextSection[] = []
  let headings: string[] = []
  let lines: string[] = []
  let isCode = false
  const close = () => {
    const above = headings.filter((heading) => heading !== '')
    for (const text of piecesOf(lines)) sections.push({ page, headings: above, text })
    lines = []
  }
  for (const line of markdown.split(/\r?\n/)) {
    if (FENCE.test(line)) isCode = !isCode
    const [, marks = '', title = ''] = (isCode ? null : HEADING.exec(line)) ?? []
    if (marks === '') {
      lines.push(line)
      continue
    }
    close()
    const above = Array.from({ length: marks.length - 1 }, (_, at) => headings[at] ?? '')
    headings = [...above, title.replaceAll('`', '')]
  }
  close()
  return sections
}

function piecesOf(lines: readonly string[]): string[] {
  const pieces: string[] = []
  let piece = ''
  for (const line of lines) {
    if (piece !== '' && piece.length + 1 + line.length > PIECE_MAX) {
      pieces.push(piece)
      piece = line
    } else piece = piece === '' ? line : `${piece}\n${line}`
  }
  return [...pieces, piece].map((text) => text.trim()).filter((text) => text !== '')
}
