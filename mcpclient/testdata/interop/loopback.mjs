// Loaded before server-everything, which listens on every interface and does not
// say where: makes what it starts listen on 127.0.0.1 only, and say so.
//   PORT=0 node --import ./loopback.mjs …/server-everything/dist/index.js streamableHttp
import { Server } from 'node:net';

const listen = Server.prototype.listen;
Server.prototype.listen = function (port, ...rest) {
  this.once('listening', () => console.error(`listening on http://127.0.0.1:${this.address().port}`));
  return listen.call(this, Number(port), '127.0.0.1', ...rest);
};
