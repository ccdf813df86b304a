import { splitSections } from '@svc/core/search/splitSections.ts'
import { expect } from 'chai'
import fc from 'fast-check'

const TEXT = `Before any heading.

# Guide

Of agents.

## Signed requests

A nonce is good once.

\`\`\`sh
# not a heading
\`\`\`

### \`X-Svc-Nonce\`

Visible characters.

# Other

Of endpoints, and of a nonce.
`

describe('the parts of a document', () => {
  const sections = splitSections('guide.md', TEXT)

  it('belong to their headings', () => {
    expect(sections.map(({ headings }) => headings)).to.deep.equal([
      [],
      ['Guide'],
      ['Guide', 'Signed requests'],
      ['Guide', 'Signed requests', 'X-Svc-Nonce'],
      ['Other'],
    ])
  })

  it('keep code that looks like a heading', () => {
    expect(sections[2]?.text).to.include('# not a heading')
  })

  it('are split at line ends if they are long, each piece under the same headings', () => {
    const rows = Array.from({ length: 300 }, (_, at) => `| row ${at} | of a table |`)
    const pieces = splitSections('long.md', ['# Table', ...rows].join('\n'))
    expect(pieces.length).to.be.above(2)
    for (const { headings, text } of pieces) {
      expect(headings).to.deep.equal(['Table'])
      expect(text.length).to.be.at.most(2_000)
    }
    expect(pieces.flatMap(({ text }) => text.split('\n'))).to.deep.equal(rows)
    const line = 'x'.repeat(5_000)
    expect(splitSections('p', `a\n${line}\nb`).map(({ text }) => text)).to.deep.equal(['a', line, 'b'])
  })

  it('omit no line of text', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('# a', '## b', 'words', '', '```', 'more')), (lines) => {
        const kept = splitSections('p', lines.join('\n')).flatMap(({ text }) => text.split('\n'))
        const written = (all: readonly string[]) => all.filter((line) => line === 'words' || line === 'more')
        expect(written(kept)).to.deep.equal(written(lines))
      }),
    )
  })
})
