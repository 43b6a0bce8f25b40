import { type FileServer, isRoot, openUp, type Served, startServer } from './server-process.js'

const modules = [
  'mpm_event',
  'authn_core',
  'authn_file',
  'authz_core',
  'authz_user',
  'auth_basic',
  'autoindex',
  'dir',
  'dav',
  'dav_fs',
]

/** Apache with `mod_dav` that only reads, and `mod_autoindex`. It refuses to be root, and is nobody then. */
export function apache(dir: string, served: Served = {}): Promise<FileServer> {
  if (isRoot) openUp(dir)
  const config = (port: number, own: string, passwords: string | undefined): string => `
${modules.map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`).join('\n')}
${isRoot ? 'User #65534\nGroup #65534' : ''}
ServerRoot "${own}"
ServerName 127.0.0.1
Listen 127.0.0.1:${port}
PidFile "${own}/pid"
DefaultRuntimeDir "${own}"
ErrorLog "${own}/said"
LogLevel error
StartServers 1
MinSpareThreads 4
MaxSpareThreads 64
ThreadsPerChild 32
MaxRequestWorkers 64
KeepAlive On
MaxKeepAliveRequests 0
DocumentRoot "${dir}"
DavLockDB "${own}/locks"
<Directory "${dir}">
  Dav On
  Options +Indexes
  IndexOptions FancyIndexing NameWidth=*
  <LimitExcept GET HEAD OPTIONS PROPFIND>
    Require all denied
  </LimitExcept>
  <Limit GET HEAD OPTIONS PROPFIND>
  ${passwords === undefined ? 'Require all granted' : 'Require valid-user'}
  </Limit>
  ${passwords === undefined ? '' : `AuthType Basic\n  AuthName ticks\n  AuthUserFile "${passwords}"`}
</Directory>
`
  return startServer({ binary: 'apache2', config, args: (path) => ['-f', path, '-D', 'FOREGROUND'] }, served)
}
