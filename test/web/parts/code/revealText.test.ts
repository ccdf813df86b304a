import { expect } from 'chai'
import { revealText } from '../../../../web/src/parts/code/revealText.ts'

describe('revealText', () => {
  it('makes bidirectional control characters visible', () => {
    expect(revealText('Shop\u202e asks')).to.equal('Shop[U+202E] asks')
    expect(revealText('\u2066a\u2069\u202ab\u202c')).to.equal('[U+2066]a[U+2069][U+202A]b[U+202C]')
  })

  it('isolates right-to-left text, so that it cannot change places with what is beside it', () => {
    expect(revealText('סוכן\u200f!')).to.equal('\u2068סוכן\u200f!\u2069')
    expect(revealText('وكيل التسوق 123')).to.equal('\u2068وكيل التسوق 123\u2069')
  })

  it('leaves what it has revealed before as it is, also within a sentence', () => {
    const sentence = `${revealText('سوق')} → ${revealText('חנות')}`
    expect(revealText(sentence)).to.equal(sentence)
    expect(revealText('\u2068a\u202eb\u2069')).to.equal('[U+2068]a[U+202E]b[U+2069]')
  })

  it('leaves all other text unchanged', () => {
    for (const text of ['', 'Courier <b>1</b>', '🛒\u200d✓']) {
      expect(revealText(text)).to.equal(text)
    }
  })
})
