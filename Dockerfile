# The server with its web app, as `npx turnwire serve` starts it.
#
#   docker build --tag turnwire .
#   docker run --init --stop-timeout 60 --publish 127.0.0.1:4747:4747 --volume turnwire:/data --volume "$PWD":/work turnwire
#
# With several hosts over one Postgres, also --env TURNWIRE_STORE=postgres://… --env TURNWIRE_TOKEN=… and
# --env TURNWIRE_STORAGE=NAME, a name for what is mounted at /work: see docs/guides/deploy.md.
#
# The image has Claude and the demo agent. For Codex, add its package:
#   --build-arg AGENTS="@openai/codex@0.169.0"

FROM node:24-slim AS build
WORKDIR /source
COPY . .
RUN npm ci --ignore-scripts && npm run packages:build && npm run packages:pack -- /packed
WORKDIR /app
ARG AGENTS=""
RUN npm init --yes && npm install --ignore-scripts /packed/*.tgz $AGENTS

FROM node:24-slim
ENV NODE_ENV=production \
    TURNWIRE_HOST=0.0.0.0 \
    TURNWIRE_PORT=4747 \
    TURNWIRE_DATA=/data \
    TURNWIRE_ROOT=/work
RUN mkdir /data /work && chown node:node /data /work && chmod 700 /data
COPY --from=build /app /app
USER node
WORKDIR /work
VOLUME /data
EXPOSE 4747
HEALTHCHECK --interval=30s --timeout=5s --start-period=10s CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.TURNWIRE_PORT}/health`).then(({ok}) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/app/node_modules/turnwire/bin/turnwire.js"]
CMD ["serve"]
