import { runCli } from '@svc/client/cli/runCli.ts'
import type { Command } from './command.ts'

/** `svc policy lint`, `evaluate` and `explain`: the client library's local evaluator, without an account or a network. */
export const policy: Command = {
  summary: 'policy lint: checks policy files; also evaluate and explain',
  usage: '',
  run: async (args, terminal) => runCli(args, terminal),
}
