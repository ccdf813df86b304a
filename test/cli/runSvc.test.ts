import { spawnSync } from 'node:child_process'
import { expect } from 'chai'
import packageFile from '../../cli/package.json' with { type: 'json' }
import { errorOf, openSvc } from './openSvc.ts'

describe('svc', () => {
  let svc: ReturnType<typeof openSvc>
  beforeEach(() => {
    svc = openSvc()
  })
  afterEach(() => svc.remove())
  it('ends quietly if nobody reads its output further', () => {
    const { stderr } = spawnSync('sh', ['-c', `"${process.execPath}" cli/svc.ts help | true`], {
      encoding: 'utf8',
    })
    expect(stderr).to.equal('')
  })

  it('names the way to sign in if nobody is signed in, and exits with 4', async () => {
    for (const args of [['verify', '--endpoint', 'x'], ['agents'], ['endpoints'], ['events']]) {
      const run = await svc.run(args)
      expect(run.code).to.equal(4)
      expect(run.err).to.equal('You are not signed in: run "svc login --url URL".\n')
      expect(errorOf(await svc.run([...args, '--json'])).code).to.equal('NOT_SIGNED_IN')
    }
  })

  it('describes every command with --help', async () => {
    const list = (await svc.run(['--help'])).out
    for (const words of [
      ...[['login'], ['logout'], ['verify'], ['agents'], ['endpoints'], ['events']],
      ...[
        ['audit', 'verify'],
        ['policy', 'lint'],
      ],
    ]) {
      const { code, out } = await svc.run([...words, '--help'])
      expect(code).to.equal(0)
      expect(out).to.include('--json')
      expect(list).to.include(words[0])
    }
  })

  it('prints the version of its package, also for the local evaluator', async () => {
    for (const words of [['--version'], ['policy', '--version']]) {
      expect(await svc.run(words)).to.deep.equal({ code: 0, out: `${packageFile.version}\n`, err: '' })
    }
  })

  it('exits with 2 for an unknown command or option, and without one', async () => {
    expect(await svc.run(['verfy'])).to.include({
      code: 2,
      err: 'Unknown command "verfy".\nTry "svc --help".\n',
    })
    expect((await svc.run(['agents', '--colour'])).code).to.equal(2)
    expect((await svc.run(['agents', '--limit', '0'])).err).to.include('--limit must be from 1 to 10000')
    expect((await svc.run([])).code).to.equal(2)
  })
})
