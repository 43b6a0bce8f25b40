import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, pause, placeOf, watchOver } from './server-process.js'

const binary = 'clickhouse-server'

/** A user of the server beside `default`, who has no password. */
export interface ClickHouseUser {
  readonly name: string
  readonly password: string
  /** Settings of its profile. */
  readonly settings?: Readonly<Record<string, string | number>> | undefined
}

interface Ports {
  readonly http: number
  readonly tcp: number
  readonly interserver: number
}

/** Nodes that are shards of a cluster, by its name: `{ both: [[0], [1]] }` are two shards of a replica each. */
export type Clusters = Readonly<Record<string, readonly (readonly number[])[]>>

/** A ClickHouse server of this machine on loopback, with a folder of its own. */
export interface ClickHouseNode {
  /** `http://127.0.0.1:PORT` */
  readonly url: string
  /** `clickhouse://127.0.0.1:PORT/DATABASE` */
  address(database: string): string
  /** Where other nodes speak to it: `127.0.0.1:PORT`. */
  readonly tcp: string
  /** Its folder. */
  readonly dir: string
  /** Ends it as a lost machine ends, at once and without a word. */
  kill(): Promise<void>
  /** Starts it again with what it had on its disk; with other clusters where they are given. */
  restart(changed?: Clusters): Promise<void>
}

function clusterXml(clusters: Clusters, ports: readonly Ports[]): string {
  const shards = (nodes: readonly (readonly number[])[]): string =>
    nodes
      .map((replicas) => {
        const hosts = replicas.map((at) => `<replica><host>127.0.0.1</host><port>${ports[at]?.tcp}</port></replica>`)
        return `<shard><internal_replication>true</internal_replication>${hosts.join('')}</shard>`
      })
      .join('')
  return Object.entries(clusters)
    .map(([name, nodes]) => `<${name}>${shards(nodes)}</${name}>`)
    .join('')
}

/** What a replica is called, by the first cluster that names its node. */
function keeperXml(at: number, port: number, clusters: Clusters): string {
  const [shards = []] = Object.values(clusters)
  const shard = shards.findIndex((replicas) => replicas.includes(at))
  const keeper = `<zookeeper><node><host>127.0.0.1</host><port>${port}</port></node><session_timeout_ms>1000</session_timeout_ms></zookeeper>`
  return `${keeper}<macros><shard>${shard + 1}</shard><replica>node${at}</replica></macros>`
}

function configXml(dir: string, { http, tcp, interserver }: Ports, clusters: string): string {
  return `<yandex>
  <logger><level>warning</level><log>${dir}/log</log><errorlog>${dir}/errorlog</errorlog></logger>
  <http_port>${http}</http_port><tcp_port>${tcp}</tcp_port><interserver_http_port>${interserver}</interserver_http_port>
  <interserver_http_host>127.0.0.1</interserver_http_host><listen_host>127.0.0.1</listen_host>
  <path>${dir}/data/</path><tmp_path>${dir}/tmp/</tmp_path><users_config>${dir}/users.xml</users_config>
  <user_files_path>${dir}/files/</user_files_path><format_schema_path>${dir}/schemas/</format_schema_path>
  <default_profile>default</default_profile><default_database>default</default_database>
  <timezone>Asia/Shanghai</timezone><mark_cache_size>67108864</mark_cache_size><max_concurrent_queries>100</max_concurrent_queries>
  ${clusters}
</yandex>`
}

function usersXml(users: readonly ClickHouseUser[]): string {
  const user = (name: string, password: string, profile: string): string =>
    `<${name}><password>${password}</password><networks><ip>127.0.0.1</ip></networks><profile>${profile}</profile><quota>default</quota></${name}>`
  const profile = (settings: Readonly<Record<string, string | number>>): string =>
    Object.entries(settings)
      .map(([name, value]) => `<${name}>${value}</${name}>`)
      .join('')
  return `<yandex>
  <profiles><default></default>
    ${users.map(({ name, settings = {} }) => `<${name}>${profile(settings)}</${name}>`).join('')}</profiles>
  <users>${user('default', '', 'default')}${users.map(({ name, password }) => user(name, password, name)).join('')}</users>
  <quotas><default></default></quotas>
</yandex>`
}

class Node implements ClickHouseNode {
  readonly url: string
  readonly tcp: string
  readonly dir: string
  readonly #ports: Ports
  readonly #config: (clusters: Clusters | undefined) => string
  #child: ChildProcess | undefined
  #watch: ChildProcess | undefined

  constructor(dir: string, ports: Ports, config: (clusters: Clusters | undefined) => string) {
    this.dir = dir
    this.#ports = ports
    this.#config = config
    this.url = `http://127.0.0.1:${ports.http}`
    this.tcp = `127.0.0.1:${ports.tcp}`
  }

  address(database: string): string {
    return `clickhouse://127.0.0.1:${this.#ports.http}/${database}`
  }

  async start(clusters?: Clusters): Promise<void> {
    writeFileSync(join(this.dir, 'config.xml'), this.#config(clusters))
    const args = [`--config-file=${join(this.dir, 'config.xml')}`]
    const child = spawn(placeOf(binary) ?? binary, args, { cwd: this.dir, stdio: 'ignore' })
    this.#child = child
    this.#watch = watchOver(child)
    for (let tries = 0; tries < 1500; tries++) {
      if (child.exitCode !== null || child.signalCode !== null) break
      const ready = await fetch(`${this.url}/ping`).catch(() => undefined)
      if (ready?.ok) return
      await pause(20)
    }
    throw new Error(`${binary} does not start: ${readFileSync(join(this.dir, 'errorlog'), 'utf8')}`)
  }

  async kill(): Promise<void> {
    this.#watch?.kill('SIGKILL')
    const child = this.#child
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const ended = new Promise((resolve) => child.on('exit', resolve))
    child.kill('SIGKILL')
    await ended
  }

  async restart(changed?: Clusters): Promise<void> {
    await this.kill()
    await this.start(changed)
  }
}

/** How servers are started. */
export interface ClickHouseStart {
  readonly nodes?: number | undefined
  readonly clusters?: Clusters | undefined
  readonly users?: readonly ClickHouseUser[] | undefined
  /** The port of a ZooKeeper, for replicated tables. */
  readonly keeper?: number | undefined
}

/** Servers that know of each other, at free ports; `stop` ends them and removes what they wrote. */
export async function startClickHouse({ nodes = 1, clusters = {}, users = [], keeper }: ClickHouseStart = {}): Promise<{
  readonly nodes: readonly ClickHouseNode[]
  stop(): Promise<void>
}> {
  const own = mkdtempSync(join(tmpdir(), 'quotebook-clickhouse-'))
  const ports: Ports[] = []
  while (ports.length < nodes)
    ports.push({ http: await freePort(), tcp: await freePort(), interserver: await freePort() })
  const started: Node[] = []
  const stop = async (): Promise<void> => {
    await Promise.all(started.map((node) => node.kill()))
    rmSync(own, { recursive: true, force: true })
  }
  try {
    for (const [at, place] of ports.entries()) {
      const dir = join(own, `node${at}`)
      mkdirSync(dir)
      writeFileSync(join(dir, 'users.xml'), usersXml(users))
      const config = (changed = clusters): string => {
        const servers = `<remote_servers>${clusterXml(changed, ports)}</remote_servers>`
        return configXml(dir, place, keeper === undefined ? servers : servers + keeperXml(at, keeper, changed))
      }
      started.push(new Node(dir, place, config))
    }
    await Promise.all(started.map((node) => node.start()))
  } catch (error) {
    await stop()
    throw error
  }
  return { nodes: started, stop }
}
