import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'chai'
import { buildMrzLines } from '../../../builders/buildMrzLines.ts'
import { createOrganisation } from '../../../builders/participants.ts'
import { encodeExifSegment, encodeJpeg, encodePng } from '../../../builders/pictures.ts'
import { KYD_PARTS, postKyd, type UploadParts } from '../../../builders/postKyd.ts'
import { waitUntil } from '../../../harness/runner/waitUntil.ts'
import { api } from '../../../harness/service/api.ts'
import { type StartedService, startService } from '../../../harness/service/startService.ts'

const MEBIBYTE = 1024 * 1024
const [PASSPORT, SELFIE, MRZ] = KYD_PARTS as [UploadParts[number], UploadParts[number], UploadParts[number]]

describe('POST /api/kyd', () => {
  let service: StartedService
  let now = Date.parse('2026-11-21T12:00:00Z')
  let bearer: string

  before(async () => {
    service = await startService({ clock: () => now })
  })
  beforeEach(async () => {
    bearer = (await createOrganisation(service.baseUrl)).accessToken
  })
  after(() => service.stop())

  const post = (parts?: UploadParts) => postKyd(service.baseUrl, bearer, parts)
  const state = async () => (await api(service.baseUrl, 'GET', '/api/kyd', { bearer })).body.kyd
  const errorsOf = ({ status, body }: Awaited<ReturnType<typeof post>>) => [
    status,
    body.code,
    ...(body.errors ?? []).map(
      ({ pointer, code }: { pointer: string; code: string }) => `${pointer} ${code}`,
    ),
  ]
  const NOTHING = {
    status: 'none',
    reason: null,
    submittedAt: null,
    decidedAt: null,
    documentsDeletedAt: null,
  }

  it('submits documents for review', async () => {
    expect(await state()).to.deep.equal(NOTHING)
    const answer = await post()
    const pending = { ...NOTHING, status: 'pending', submittedAt: new Date(now).toISOString() }
    expect([answer.status, answer.body]).to.deep.equal([201, { success: true, kyd: pending }])
    expect(await state()).to.deep.equal(pending)
    const me = await api(service.baseUrl, 'GET', '/api/me', { bearer })
    expect(me.body.kyd).to.deep.equal(pending)
    expect(me.body.user.kydStatus).to.equal('none')
  })

  it('stores nothing readable', async () => {
    const number = 'XK4711XYZ'
    await post([
      ['passport', encodeJpeg(640, 480, encodeExifSegment(6))],
      SELFIE,
      ['mrz', buildMrzLines({ documentNumber: number })],
    ])
    const documents = await service.rows<{ sealed: Uint8Array }>('SELECT sealed FROM kyd_documents')
    for (const { sealed } of documents) {
      const text = Buffer.from(sealed)
      expect(text[0]).to.equal(2)
      for (const trace of ['IHDR', '\xff\xd8\xff', 'GPS'])
        expect(text.includes(trace, 0, 'latin1')).to.equal(false)
    }
    const cases = await service.rows('SELECT * FROM kyd_cases')
    expect(JSON.stringify(cases)).not.to.match(/XK4711|ERIKSSON/)
    const stored = readdirSync(service.dataDir).filter((name) => name.includes('sqlite'))
    for (const name of stored) {
      const file = readFileSync(join(service.dataDir, name))
      expect(file.includes(number) || file.includes('ERIKSSON'), name).to.equal(false)
    }
  })

  it('detects pictures by content, whatever their names', async () => {
    expect((await post([['passport', encodePng()], ['selfie', encodeJpeg()], MRZ])).status).to.equal(201)
  })

  it('requires a session', async () => {
    const shop = await createOrganisation(service.baseUrl)
    const withKey = await postKyd(service.baseUrl, shop.apiKey)
    expect(errorsOf(withKey)).to.deep.equal([403, 'SESSION_REQUIRED'])
    expect(errorsOf(await postKyd(service.baseUrl, 'x'))).to.deep.equal([401, 'UNAUTHENTICATED'])
  })

  describe('refuses', () => {
    afterEach(async () => expect(await state()).to.deep.equal(NOTHING))

    for (const [name, parts, ...expected] of [
      ['nothing', [], '/passport required', '/selfie required', '/mrz required'],
      ['no selfie', [PASSPORT, MRZ], '/selfie required'],
      ['no zone', [PASSPORT, SELFIE], '/mrz required'],
      [
        'a text for a picture',
        [['passport', Buffer.from('<svg/>')], SELFIE, MRZ],
        '/passport picture_unknown_type',
      ],
      [
        'a page before a picture',
        [['passport', Buffer.concat([Buffer.from('<html>'), encodeJpeg()])], SELFIE, MRZ],
        '/passport picture_unknown_type',
      ],
      ['half a picture', [PASSPORT, ['selfie', encodePng().subarray(0, 60)], MRZ], '/selfie picture_broken'],
      ['a stamp', [['passport', encodePng(100, 100)], SELFIE, MRZ], '/passport picture_too_small'],
      ['a poster', [['passport', encodeJpeg(30_000, 500)], SELFIE, MRZ], '/passport picture_too_big'],
      ['an empty file', [['passport', Buffer.alloc(0)], SELFIE, MRZ], '/passport picture_unknown_type'],
      ['an unknown field', [...KYD_PARTS, ['status', 'approved']], ' unknown_key'],
      ['an unknown file', [...KYD_PARTS, ['visa', encodePng()]], ' unknown_key'],
      ['a second passport', [PASSPORT, PASSPORT, SELFIE, MRZ], '/passport duplicate'],
      ['two zones', [...KYD_PARTS, MRZ], '/mrz duplicate'],
      [
        'a passport that is text',
        [['passport', 'not a file'], SELFIE, MRZ],
        '/passport picture_unknown_type',
      ],
      ['a long zone', [PASSPORT, SELFIE, ['mrz', 'A'.repeat(600)]], '/mrz too_big'],
      [
        'a wrong check digit',
        [PASSPORT, SELFIE, ['mrz', buildMrzLines().replace('L898902C3', 'L898902C4')]],
        '/mrz/documentNumber wrong_check_digit',
        '/mrz/composite wrong_check_digit',
      ],
      [
        'an expired passport',
        [PASSPORT, SELFIE, ['mrz', buildMrzLines({ expiry: '261120' })]],
        '/mrz/expiryDate expired',
      ],
    ] as [string, UploadParts, ...string[]][]) {
      it(name, async () => {
        expect(errorsOf(await post(parts))).to.deep.equal([400, 'VALIDATION_ERROR', ...expected])
      })
    }

    it('a file that is too large', async () => {
      const large: UploadParts = [['passport', Buffer.alloc(8 * MEBIBYTE + 1, 0xff)], SELFIE, MRZ]
      expect(errorsOf(await post(large))).to.deep.equal([413, 'PAYLOAD_TOO_LARGE'])
    })

    it('a body that is too large, announced or not', async () => {
      const large = Buffer.alloc(20 * MEBIBYTE, 0x41)
      const head = '--b\r\nContent-Disposition: form-data; name="mrz"\r\n\r\n'
      for (const body of [Buffer.concat([Buffer.from(head), large]), chunked(head, large)]) {
        expect(await raw(body)).to.deep.equal([413, 'PAYLOAD_TOO_LARGE'])
      }
    })

    for (const [name, type, body, ...expected] of [
      ['JSON', 'application/json', '{}', 415, 'UNSUPPORTED_MEDIA_TYPE'],
      ['a form without files', 'application/x-www-form-urlencoded', 'mrz=x', 415, 'UNSUPPORTED_MEDIA_TYPE'],
      [
        'a body without a boundary',
        'multipart/form-data; charset=utf-8',
        '--b',
        415,
        'UNSUPPORTED_MEDIA_TYPE',
      ],
      ['a body without its parts', 'multipart/form-data; boundary=b', 'x', 400, 'MALFORMED_UPLOAD'],
      ['nothing at all', 'multipart/form-data; boundary=b', '', 400, 'MALFORMED_UPLOAD'],
      [
        'a body that ends in the middle of a part',
        'multipart/form-data; boundary=b',
        '--b\r\nContent-Disposition: form-data; name="passport"; filename="a"\r\n\r\nabc',
        ...[400, 'MALFORMED_UPLOAD'],
      ],
      [
        'a part without a name',
        'multipart/form-data; boundary=b',
        '--b\r\nContent-Disposition: form-data\r\n\r\nabc\r\n--b--',
        400,
        'VALIDATION_ERROR',
      ],
    ] as [string, string, string, number, string][]) {
      it(name, async () => {
        expect(await raw(Buffer.from(body), type)).to.deep.equal(expected)
      })
    }

    it('a compressed body', async () => {
      expect(await raw(Buffer.from('--b'), undefined, { 'content-encoding': 'gzip' })).to.deep.equal([
        415,
        'UNSUPPORTED_MEDIA_TYPE',
      ])
    })

    it('more than the daily number of attempts', async () => {
      for (let tries = 0; tries < 10; tries += 1) expect((await post([])).status).to.equal(400)
      const refused = await post()
      expect(errorsOf(refused)).to.deep.equal([429, 'RATE_LIMITED'])
      expect(Number(refused.headers.get('retry-after'))).to.be.within(86_000, 86_400)
      now += 86_400_000
      bearer = (await createOrganisation(service.baseUrl)).accessToken
    })
  })

  it('refuses a second one while one is pending, before reading it', async () => {
    await post()
    expect(errorsOf(await post())).to.deep.equal([409, 'INVALID_STATE'])
    expect(await raw(Buffer.from('not even a form'))).to.deep.equal([409, 'INVALID_STATE'])
  })

  it('accepts one of two concurrent ones', async () => {
    const answers = await Promise.all([post(), post(), post()])
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([201, 409, 409])
    const me = await api(service.baseUrl, 'GET', '/api/me', { bearer })
    const stored = await service.rows('SELECT id FROM kyd_cases WHERE user_id = ?', me.body.user.id)
    expect(stored).to.have.length(1)
  })

  it('accepts the next after an aborted upload', async () => {
    const socket = await held()
    socket.destroy()
    await waitUntil(async () => ((await post([])).status === 400 ? true : null))
    expect((await post()).status).to.equal(201)
  })

  it('reads a few concurrently, and asks others to retry', async () => {
    const sockets = []
    for (let person = 0; person < 6; person += 1) sockets.push(await held())
    bearer = (await createOrganisation(service.baseUrl)).accessToken
    const busy = await post()
    expect([busy.status, busy.body.code, busy.headers.get('retry-after')]).to.deep.equal([
      503,
      'SERVICE_UNAVAILABLE',
      '60',
    ])
    for (const socket of sockets) socket.destroy()
    await waitUntil(async () => ((await post()).status === 201 ? true : null))
  })

  /** An upload that stalls after its beginning. */
  const begun = () => {
    const { port } = new URL(service.baseUrl)
    const socket = connect(Number(port), '127.0.0.1')
    socket.on('error', () => undefined)
    const part = '--b\r\nContent-Disposition: form-data; name="passport"; filename="a"\r\n\r\nabc'
    socket.write(
      [
        'POST /api/kyd HTTP/1.1',
        'Host: localhost',
        `Authorization: Bearer ${bearer}`,
        'Content-Type: multipart/form-data; boundary=b',
        'Content-Length: 100000',
        `X-Request-Id: ${randomUUID()}`,
        '',
        part,
      ].join('\r\n'),
    )
    return socket
  }

  /** The same for a new account, once the service reads it; an earlier check could be the reason of the refusal. */
  const held = async () => {
    for (;;) {
      bearer = (await createOrganisation(service.baseUrl)).accessToken
      const socket = begun()
      const refused = once(socket, 'data').then(() => true)
      await once(socket, 'connect')
      await pause(20)
      const isBusy = (await post([])).status === 409
      if (isBusy && !(await Promise.race([refused, pause(20, false)]))) return socket
      socket.destroy()
    }
  }

  const chunked = (head: string, content: Buffer) =>
    new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(Buffer.from(head))
        for (let at = 0; at < content.length; at += MEBIBYTE)
          controller.enqueue(content.subarray(at, at + MEBIBYTE))
        controller.close()
      },
    })

  /** Sends bytes unchanged and returns status and code. */
  const raw = async (
    body: Uint8Array | ReadableStream,
    type = 'multipart/form-data; boundary=b',
    headers: Record<string, string> = {},
  ) => {
    const response = await fetch(`${service.baseUrl}/api/kyd`, {
      method: 'POST',
      headers: { authorization: `Bearer ${bearer}`, 'content-type': type, ...headers },
      body: body as BodyInit,
      duplex: 'half',
    } as RequestInit)
    return [response.status, ((await response.json()) as { code: string }).code]
  }
})
