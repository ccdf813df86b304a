import { compareNames } from '@svc/core/kyd/compareNames.ts'
import { expect } from 'chai'

describe('compareNames', () => {
  const verdictOf = (account: string, document: string) => compareNames(account, document).verdict

  it('finds the same words in any order and case', () => {
    expect(verdictOf('Anna Maria Eriksson', 'ANNA MARIA ERIKSSON')).to.equal('same')
    expect(verdictOf('Eriksson, Anna Maria', 'ANNA MARIA ERIKSSON')).to.equal('same')
    expect(verdictOf('Anne-Marie O’Neill', 'ANNE MARIE ONEILL')).to.equal('same')
  })

  it('reads the letters of a passport as those that they stand for', () => {
    for (const [account, document] of [
      ['Jürgen Müller', 'JUERGEN MUELLER'],
      ['Jürgen Müller', 'JURGEN MULLER'],
      ['Strauß', 'STRAUSS'],
      ['Søren Ærø', 'SOEREN AEROE'],
      ['José Núñez', 'JOSE NUNEZ'],
      ['Łukasz Żuk', 'LUKASZ ZUK'],
      ['Jose\u0301', 'JOSE'],
    ] as const) {
      expect(verdictOf(account, document), account).to.equal('same')
    }
  })

  it('marks the words that only one of them has', () => {
    expect(compareNames('Anna Svensson', 'ANNA MARIA ERIKSSON')).to.deep.equal({
      account: [
        { text: 'Anna', isShared: true },
        { text: 'Svensson', isShared: false },
      ],
      document: [
        { text: 'ANNA', isShared: true },
        { text: 'MARIA', isShared: false },
        { text: 'ERIKSSON', isShared: false },
      ],
      verdict: 'partly',
    })
  })

  it('calls names without a common word different, and so an empty one', () => {
    expect(verdictOf('Ada', 'ANNA MARIA ERIKSSON')).to.equal('different')
    expect(verdictOf('', 'ANNA')).to.equal('different')
    expect(verdictOf('', '')).to.equal('different')
    expect(verdictOf('Ann', 'ANNA')).to.equal('different')
  })
})
