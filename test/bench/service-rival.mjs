/*
 * What the service is measured against, in a process of its own: a bare Node server that takes the request in and sends one reply
 * of the service, its headers and its body: `node service-rival.mjs FILE`.
 */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

const { headers, body } = JSON.parse(readFileSync(process.argv[2], 'utf8'))
const bytes = Buffer.from(body, 'base64')

const server = createServer((request, response) => {
  request.resume()
  request.on('end', () => response.writeHead(200, headers).end(bytes))
})
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }))
