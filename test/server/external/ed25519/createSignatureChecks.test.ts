import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { Worker } from 'node:worker_threads'
import { expect } from 'chai'
import { createSignatureChecks } from '../../../../server/external/ed25519/createSignatureChecks.ts'
import { type Sodium, sodium } from '../../../../server/external/ed25519/sodium.ts'

const THREAD = new URL('../../../../server/external/ed25519/signatureThread.ts', import.meta.url)
/** As many as the thread gets before it has answered any. */
const AMOUNT = 32

describe('signature checks on a thread of their own', () => {
  /** Counts the checks that are made on this thread. */
  let here = 0
  let threads: Worker[] = []
  const library: Sodium = {
    crypto_sign_BYTES: 64,
    crypto_sign_detached: () => undefined,
    crypto_sign_verify_detached(...given) {
      here += 1
      return sodium?.crypto_sign_verify_detached(...given) ?? false
    },
  }

  beforeEach(function () {
    if (sodium === null) this.skip()
    here = 0
    threads = []
  })

  afterEach(() => Promise.all(threads.map((thread) => thread.terminate())))

  function createChecks(start = () => new Worker(THREAD)) {
    return createSignatureChecks({
      library,
      spawn() {
        const thread = start()
        threads.push(thread)
        return thread
      },
    })
  }

  it('give each of many its own result, whatever the length of its text, and start one thread', async () => {
    const { verify } = createChecks()
    for (let round = 0; round < 3; round += 1) {
      const checks = Array.from({ length: AMOUNT }, (_, nth) => makeCheck(nth * 7, nth % 3 !== 0))
      expect(await Promise.all(checks.map(({ check }) => verify(check)))).to.deep.equal(
        checks.map(({ isValid }) => isValid),
      )
    }
    expect([here, threads.length]).to.deep.equal([0, 1])
  })

  it('are made at once, without a thread, if they come one at a time', async () => {
    const { verify } = createChecks()
    for (const isValid of [true, false, true]) {
      expect(await verify(makeCheck(50, isValid).check)).to.equal(isValid)
    }
    expect([here, threads.length]).to.deep.equal([3, 0])
  })

  it('that arrive while the thread is busy are answered after those before them', async () => {
    const { verify } = createChecks()
    const answered: number[] = []
    const add = (nth: number) =>
      verify(makeCheck(nth, true).check).then((isValid) => isValid && answered.push(nth))
    const first = [0, 1, 2].map(add)
    await new Promise(setImmediate)
    await Promise.all([...first, ...[3, 4, 5].map(add)])
    expect(answered).to.deep.equal([0, 1, 2, 3, 4, 5])
    expect(here).to.equal(0)
  })

  it('are made here, one in a turn, while the thread is behind, and those it has when it answers or ends', async () => {
    const { verify } = createChecks(() => new Worker('setInterval(() => {}, 1000)', { eval: true }))
    const answered: number[] = []
    const all = Array.from({ length: AMOUNT + 3 }, (_, nth) =>
      verify(makeCheck(nth, true).check).then((isValid) => isValid && answered.push(nth)),
    )
    await Promise.all(all.slice(AMOUNT))
    expect([here, answered]).to.deep.equal([3, [AMOUNT, AMOUNT + 1, AMOUNT + 2]])
    await threads[0]?.terminate()
    await Promise.all(all)
    expect(answered).to.have.length(AMOUNT + 3)
  })

  it('are made here if the thread ends without an answer, and the next ones by another thread', async () => {
    let fails = true
    const failing = () => new Worker('process.exit(1)', { eval: true })
    const { verify } = createChecks(() => (fails ? failing() : new Worker(THREAD)))
    const checks = [true, false, true].map((isValid) => makeCheck(90, isValid))
    const verifyAll = () => Promise.all(checks.map(({ check }) => verify(check)))
    expect(await verifyAll()).to.deep.equal([true, false, true])
    expect(here).to.equal(3)
    fails = false
    expect(await verifyAll()).to.deep.equal([true, false, true])
    expect([here, threads.length]).to.deep.equal([3, 2])
  })

  it('are made here if the thread cannot be loaded', async () => {
    const { verify } = createChecks(() => new Worker('throw new Error("broken")', { eval: true }))
    const checks = [false, true].map((isValid) => makeCheck(10, isValid))
    expect(await Promise.all(checks.map(({ check }) => verify(check)))).to.deep.equal([false, true])
  })
})

function makeCheck(length: number, isValid: boolean) {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const text = randomBytes(length)
  const key = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url')
  const signature = sign(null, text, privateKey)
  return { isValid, check: { key, text: isValid ? text : Buffer.concat([text, Buffer.of(1)]), signature } }
}
