import { expect } from 'chai'
import { prefersText } from '../../../../server/routes/border/prefersText.ts'

describe('prefersText', () => {
  for (const accept of [
    'text/plain',
    'TEXT/PLAIN',
    'text/plain, */*;q=0.1',
    'application/json;q=0.8,text/plain;q=0.9',
  ]) {
    it(`prefers text for "${accept}"`, () => expect(prefersText(accept)).to.equal(true))
  }
  for (const accept of [
    undefined,
    '',
    '*/*',
    'text/*',
    'application/json',
    'application/*, text/plain',
    'text/plain;q=x',
  ]) {
    it(`prefers JSON for "${accept}"`, () => expect(prefersText(accept)).to.equal(false))
  }
})
