import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { runService } from '../../helper/running-service.js'

/** All that a connection gets for some bytes, until it is closed from there. */
function told(port: number, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk.toString()
    })
    socket.on('error', reject)
    socket.on('close', () => resolve(text))
    socket.write(bytes)
  })
}

test.each(['/api', '/healthz', '/nowhere', '/share/x/'])(
  'another protocol is not spoken under %s: the answer is the last on its connection, which nobody waits for',
  async (path) => {
    const service = await runService()
    const head = ['Host: localhost', 'Upgrade: h2c', 'Connection: upgrade'].join('\r\n')
    const text = await told(service.port, `GET ${path} HTTP/1.1\r\n${head}\r\n\r\n${'x'.repeat(70_000)}`)
    expect(text).toMatch(/^HTTP\/1\.1 (200|404|405) /)
    expect(text.toLowerCase()).toContain('connection: close')
    await service.close()
  },
)
