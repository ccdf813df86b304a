import { expect } from 'chai'
import { createPasswordHasher } from '../../../server/external/passwordHasher.ts'

const PASSWORD = 'correct horse battery staple'

describe('createPasswordHasher', () => {
  const hasher = createPasswordHasher()

  it('uses argon2id with 19 MiB, two passes and a new salt each time', async () => {
    const [one, other] = await Promise.all([hasher.hash(PASSWORD), hasher.hash(PASSWORD)])
    expect(one).to.match(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
    expect(other).to.not.equal(one)
  })

  it('accepts the password of a hash and no other', async () => {
    const hash = await hasher.hash(PASSWORD)
    expect(await hasher.verify(hash, PASSWORD)).to.equal(true)
    expect(await hasher.verify(hash, `${PASSWORD} `)).to.equal(false)
    expect(await hasher.verify(hash, '')).to.equal(false)
  })

  it('accepts a password in every Unicode form that keyboards send', async () => {
    const hash = await hasher.hash('caf\u00e9')
    expect(await hasher.verify(hash, 'cafe\u0301')).to.equal(true)
  })

  it('accepts no password for an account without one', async () => {
    for (const password of ['', 'nobody', PASSWORD])
      expect(await hasher.verify(null, password)).to.equal(false)
  })

  it('verifies hashes of higher or lower cost', async () => {
    const quick = createPasswordHasher({ memoryCost: 64, timeCost: 1, parallelism: 1 })
    expect(await hasher.verify(await quick.hash(PASSWORD), PASSWORD)).to.equal(true)
    expect(await quick.verify(await hasher.hash(PASSWORD), PASSWORD)).to.equal(true)
  })
})
