import { expect } from 'chai'
import { readSigningKey } from '../../../../server/external/httpSignatures/readSigningKey.ts'
import { readKeys } from '../../../../server/external/webBotAuth/keyDirectories.ts'
import { RFC_KEYS } from '../httpSignatures/rfcKeys.ts'

describe('the keys of a directory', () => {
  for (const [name, jwk] of Object.entries(RFC_KEYS)) {
    it(`do not include ${name} of RFC 9421, with which anyone can sign`, async () => {
      expect(await readSigningKey(jwk)).not.to.equal(undefined)
      expect([...(await readKeys(JSON.stringify({ keys: [jwk] }))).keys()]).to.deep.equal([])
    })
  }
})
