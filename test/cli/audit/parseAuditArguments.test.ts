import { expect } from 'chai'
import { parseAuditArguments } from '../../../cli/audit/parseAuditArguments.ts'

/** The arguments that name a log. */
const LOG_ARGS = ['--rpc', 'http://a', '--log', `0x${'1'.repeat(64)}`, '--contract', `0x${'2'.repeat(40)}`]

describe('parseAuditArguments', () => {
  for (const args of [
    [],
    ['--rpc', 'x', '--log', 'y'],
    ['--unknown'],
    ['--rpc', 'localhost:8545', ...LOG_ARGS.slice(2)],
    ['--rpc', 'http://a', '--log', `0x${'1'.repeat(64)}`],
    ...[
      ['--record', 'a', '--export', 'b'],
      ['--record', 'a', '--from-batch', '1', '--registry', 'http://b'],
      ['--range', '1-2'],
      ['--received', 'a'],
      ['--record', 'a', '--issuer', 'registry.example'],
      ['--from-batch', '1', '--registry', 'http://b', '--issuer', 'http://b'],
      ['--export', 'a', '--range', '2-1'],
      ['--export', 'a', '--range', '-1'],
      ['--from-batch', '1'],
      ['--from-batch', '0', '--registry', 'http://b'],
      ['--from-batch', '1', '--from', 'a', '--registry', 'http://b'],
      ['--to-batch', '1', '--registry', 'http://b'],
      ['--from-batch', '1', '--registry', 'b'],
      ['--from-batch', '1', '--registry', 'localhost:3000'],
      ['--from-batch', '1', '--registry', 'http://b', '--consistency', 'c'],
      ['--record', 'a', '--log-key', 'b'],
      ['--record', 'a', '--log-key', 'PeterNeumann+c74f20a4+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW'],
    ].map((args) => [...LOG_ARGS, ...args]),
  ]) {
    it(`rejects the arguments [${args.join(' ').replace(LOG_ARGS.join(' '), '').slice(0, 60)}]`, async () => {
      expect(parseAuditArguments(args)).to.have.property('kind', 'mistake')
    })
  }
})
