import { type FileServer, type Served, startServer } from './server-process.js'

/** nginx with `autoindex`, as whoever runs the tests. */
export function nginx(dir: string, served: Served = {}): Promise<FileServer> {
  const config = (port: number, own: string, passwords: string | undefined): string => `
daemon off;
master_process off;
pid "${own}/pid";
error_log stderr crit;
events { worker_connections 256; }
http {
  access_log off;
  default_type application/octet-stream;
  sendfile on;
  keepalive_requests 1000000;
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path "${own}/${name}";`).join(' ')}
  server {
    listen 127.0.0.1:${port};
    root "${dir}";
    autoindex on;
    ${passwords === undefined ? '' : `auth_basic "ticks"; auth_basic_user_file "${passwords}";`}
  }
}
`
  return startServer({ binary: 'nginx', config, args: (path) => ['-c', path, '-e', 'stderr'] }, served)
}
