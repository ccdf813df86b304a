import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'

/**
 * Starts a mail server that accepts everything, or nothing while its mood is `refusing`. With the code `rejecting`, it
 * answers every recipient with that.
 */
export async function startSmtpServer() {
  const messages: { recipients: string[]; data: string }[] = []
  const mood = { refusing: false, rejecting: 0 }
  const server = createServer((socket) => {
    let recipients: string[] = []
    let data: string[] | null = null
    let rest = ''
    const say = (line: string) => socket.write(`${line}\r\n`)
    say('220 test')
    socket.on('error', () => undefined)
    socket.on('data', (chunk) => {
      const lines = (rest + chunk).split('\r\n')
      rest = lines.pop() ?? ''
      for (const line of lines) hear(line)
    })

    function hear(line: string): void {
      if (data !== null) {
        if (line !== '.') data.push(line)
        else {
          messages.push({ recipients, data: data.join('\n') })
          data = null
          recipients = []
          say('250 accepted')
        }
        return
      }
      const recipient = /^RCPT TO:<(.*)>/.exec(line)?.[1]
      if (recipient !== undefined) recipients.push(recipient)
      if (recipient !== undefined && mood.rejecting > 0)
        say(`${mood.rejecting} 5.1.1 <${recipient}>: unknown`)
      else if (line.startsWith('QUIT')) socket.end('221 bye\r\n')
      else if (line.startsWith('MAIL') && mood.refusing) say('451 not now')
      else if (line === 'DATA') {
        data = []
        say('354 go on')
      } else say('250 ok')
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    mood,
    messages,
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}?ignoreTLS=true`,
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}
