import { expect } from 'chai'
import { revealText } from '../../../../web/src/parts/code/revealText.ts'

describe('revealText', () => {
  it('makes bidirectional control characters visible', () => {
    expect(revealText('Shop\u202e asks')).to.equal('Shop[U+202E] asks')
    expect(revealText('\u2066a\u2069\u202ab\u202c')).to.equal('[U+2066]a[U+2069][U+202A]b[U+202C]')
  })

  it('leaves all other text unchanged, including right-to-left scripts', () => {
    for (const text of [
      '',
      'Courier <b>1</b>',
      'وكيل التسوق 123',
      'סוכן\u200f!',
      '🛒\u200d✓',
      'نمی\u200cدانم',
    ]) {
      expect(revealText(text)).to.equal(text)
    }
  })
})
