import { splitSections } from '@svc/core/search/splitSections.ts'
import { expect } from 'chai'
import fc from 'fast-check'
import { indexSections, type SectionIndex } from '../../../../server/services/mcp/indexSections.ts'

const TEXT = `Before any heading.

# Guide

Of agents.

## Signed requests

A nonce is good once.

### \`X-Svc-Nonce\`

Visible characters.

# Other

Of endpoints, and of a nonce.
`

describe('indexSections', () => {
  let search: SectionIndex

  before(async () => {
    search = await indexSections(splitSections('guide.md', TEXT))
  })

  it('ranks the section whose heading has the word first', () => {
    const found = search('nonce', 10)
    expect(found.map(({ headings }) => headings.at(-1))).to.deep.equal([
      'X-Svc-Nonce',
      'Signed requests',
      'Other',
    ])
  })

  it('finds longer words that begin with the one searched for', () => {
    expect(search('endpoint', 10)).to.have.length(1)
  })

  it('finds nothing for unknown words or without any word', () => {
    expect(search('whale', 10)).to.deep.equal([])
    expect(search(' — ', 10)).to.deep.equal([])
  })

  it('finds a name with underscores whole, in any case', async () => {
    const named = await indexSections(splitSections('p', '# A\n\nNONCE_REUSED\n\n# B\n\nreused'))
    expect(named('nonce_reused', 10).map(({ headings }) => headings)).to.deep.equal([['A']])
  })

  it('searches for at most ten different words, the longest of the query', () => {
    const nine = Array.from({ length: 9 }, (_, at) => `nowhere${at}`).join(' ')
    expect(search(`${nine} nonce`, 10)).to.have.length(3)
    expect(search(`${nine} ${nine} a b c d e f nonce`, 10)).to.have.length(3)
    expect(search(`${nine} nowhere9 nonce`, 10)).to.deep.equal([])
  })

  it('counts a word more in a heading than in the text, and longer words with it', async () => {
    const scoreOf = async (headings: string[], text: string) => {
      const [found] = (await indexSections([{ page: 'p', headings, text }]))('nonce', 1)
      return found?.score ?? 0
    }
    const inText = await scoreOf([], 'A nonce, and a nonce.')
    expect(inText).to.be.above(await scoreOf([], 'A nonce.'))
    expect(await scoreOf(['nonce'], 'other')).to.be.above(await scoreOf(['other'], 'nonce'))
    expect(await scoreOf(['Nonces'], 'A nonce, and a nonce.')).to.be.above(inText)
  })

  it('returns at most the limit, in falling order of score', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.lorem({ maxCount: 8 })),
        fc.lorem(),
        fc.nat(5),
        async (texts, query, limit) => {
          const all = texts.map((text) => ({ page: 'p', headings: [], text }))
          const found = (await indexSections(all))(query, limit)
          const scores = found.map(({ score }) => score)
          expect(scores.length).to.be.at.most(limit)
          expect(scores).to.deep.equal([...scores].sort((a, b) => b - a))
        },
      ),
    )
  })
})
