import { indexSections, rankSections } from '@svc/core/search/rankSections.ts'
import { textSections } from '@svc/core/search/textSections.ts'
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
  const sections = textSections('guide.md', TEXT)

  it('stand under their headings', () => {
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

  it('are cut at ends of lines where they are long, each piece under the same headings', () => {
    const rows = Array.from({ length: 300 }, (_, at) => `| row ${at} | of a table |`)
    const pieces = textSections('long.md', ['# Table', ...rows].join('\n'))
    expect(pieces.length).to.be.above(2)
    for (const { headings, text } of pieces) {
      expect(headings).to.deep.equal(['Table'])
      expect(text.length).to.be.at.most(2_000)
    }
    expect(pieces.flatMap(({ text }) => text.split('\n'))).to.deep.equal(rows)
    const line = 'x'.repeat(5_000)
    expect(textSections('p', `a\n${line}\nb`).map(({ text }) => text)).to.deep.equal(['a', line, 'b'])
  })

  it('lose no line of text', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('# a', '## b', 'words', '', '```', 'more')), (lines) => {
        const kept = textSections('p', lines.join('\n')).flatMap(({ text }) => text.split('\n'))
        const written = (all: readonly string[]) => all.filter((line) => line === 'words' || line === 'more')
        expect(written(kept)).to.deep.equal(written(lines))
      }),
    )
  })
})

describe('a search in documents', () => {
  const sections = indexSections(textSections('guide.md', TEXT))

  it('puts what is headed by the word first', () => {
    const found = rankSections(sections, 'nonce', 10)
    expect(found.map(({ headings }) => headings.at(-1))).to.deep.equal([
      'X-Svc-Nonce',
      'Signed requests',
      'Other',
    ])
  })

  it('finds longer words that begin with the one asked for', () => {
    expect(rankSections(sections, 'endpoint', 10)).to.have.length(1)
  })

  it('finds nothing for words that stand nowhere, or for none', () => {
    expect(rankSections(sections, 'whale', 10)).to.deep.equal([])
    expect(rankSections(sections, ' — ', 10)).to.deep.equal([])
  })

  it('looks for ten different words at most, the longest of a question', () => {
    const nine = Array.from({ length: 9 }, (_, at) => `nowhere${at}`).join(' ')
    expect(rankSections(sections, `${nine} nonce`, 10)).to.have.length(3)
    expect(rankSections(sections, `${nine} ${nine} a b c d e f nonce`, 10)).to.have.length(3)
    expect(rankSections(sections, `${nine} nowhere9 nonce`, 10)).to.deep.equal([])
  })

  it('counts a word in a heading as four in the text, and the longer words of a word with it', () => {
    const [section] = indexSections([{ page: 'p', headings: ['Nonces'], text: 'A nonce, and a nonce.' }])
    expect(Object.fromEntries(section?.weights ?? [])).to.deep.equal({ nonces: 4, a: 2, nonce: 2, and: 1 })
    const alone = (text: string) =>
      rankSections(indexSections([{ page: 'p', headings: [], text }]), 'nonce', 1)
    expect(rankSections(section ? [section] : [], 'nonce', 1)[0]?.score).to.equal(
      alone('nonce '.repeat(6))[0]?.score,
    )
  })

  it('shows no more than was asked for, in falling order', () => {
    fc.assert(
      fc.property(fc.array(fc.lorem({ maxCount: 8 })), fc.lorem(), fc.nat(5), (texts, query, limit) => {
        const all = texts.map((text) => ({ page: 'p', headings: [], text }))
        const scores = rankSections(indexSections(all), query, limit).map(({ score }) => score)
        expect(scores.length).to.be.at.most(limit)
        expect(scores).to.deep.equal([...scores].sort((a, b) => b - a))
      }),
    )
  })
})
