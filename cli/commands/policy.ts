import { runCli } from '@svc/client/cli/runCli.ts'
import type { Command } from './command.ts'

/** `svc policy lint`, `evaluate` and `explain`: the local evaluator of the client library, without an account or a network. */
export const policy: Command = {
  summary: 'policy lint: checks policy files; also evaluate and explain',
  usage: '',
  run: async (args, terminal) => runCli(args, terminal),
}
