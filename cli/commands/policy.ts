import { runCli } from '@svc/client/cli/runCli.ts'
import { VERSION } from '../version.ts'
import type { Command } from './command.ts'

/** `svc policy lint`, `evaluate` and `explain`: the client library's local evaluator, without an account or a network. */
export const policy: Command = {
  summary: 'policy lint: checks policy files; also evaluate and explain',
  usage: '',
  run: async (args, { read, out, err, now }) => runCli(args, { read, out, err, now, version: VERSION }),
}
