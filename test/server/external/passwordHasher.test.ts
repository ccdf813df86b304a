import { expect } from 'chai'
import { createPasswordHasher } from '../../../server/external/passwordHasher.ts'

const PASSWORD = 'correct horse battery staple'

describe('the hasher of passwords', () => {
  const hasher = createPasswordHasher()

  it('makes argon2id of 19 MiB and two passes, with a salt of its own each time', async () => {
    const [one, other] = await Promise.all([hasher.hash(PASSWORD), hasher.hash(PASSWORD)])
    expect(one).to.match(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
    expect(other).to.not.equal(one)
  })

  it('finds the password of a hash right, and every other wrong', async () => {
    const hash = await hasher.hash(PASSWORD)
    expect(await hasher.verify(hash, PASSWORD)).to.equal(true)
    expect(await hasher.verify(hash, `${PASSWORD} `)).to.equal(false)
    expect(await hasher.verify(hash, '')).to.equal(false)
  })

  it('takes a password in each form that keyboards send it in', async () => {
    const hash = await hasher.hash('caf\u00e9')
    expect(await hasher.verify(hash, 'cafe\u0301')).to.equal(true)
  })

  it('answers no for an account without a password, whatever is tried', async () => {
    for (const password of ['', 'nobody', PASSWORD])
      expect(await hasher.verify(null, password)).to.equal(false)
  })

  it('verifies what was hashed for more or less work', async () => {
    const quick = createPasswordHasher({ memoryCost: 64, timeCost: 1, parallelism: 1 })
    expect(await hasher.verify(await quick.hash(PASSWORD), PASSWORD)).to.equal(true)
    expect(await quick.verify(await hasher.hash(PASSWORD), PASSWORD)).to.equal(true)
  })
})
