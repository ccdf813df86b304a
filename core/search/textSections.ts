/** A part of a document under one heading. */
export type TextSection = {
  /** File it is in, relative to the documents. */
  page: string
  /** The headings above it and its own, outermost first. */
  headings: readonly string[]
  text: string
}

const HEADING = /^(#{1,4}) +(.+?)\s*$/
const FENCE = /^\s*(```|~~~)/

/** Cuts a Markdown text into the parts under its headings; lines inside of code are no headings. Source: CommonMark §4.2. */
export function textSections(page: string, markdown: string): TextSection[] {
  const sections: TextSection[] = []
  let headings: string[] = []
  let lines: string[] = []
  let isCode = false
  const close = () => {
    const text = lines.join('\n').trim()
    if (text !== '') sections.push({ page, headings: headings.filter((heading) => heading !== ''), text })
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
