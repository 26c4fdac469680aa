# The explorer in a container, as a user without privileges:
#   docker build -t causalrules .
#   docker run --rm --network host --volume "$PWD:/data:ro" causalrules
# It prints the address to open. The explorer listens on the loopback address only, so the container shares the
# host's network; other machines still cannot reach it.
FROM python:3.13-slim AS build
WORKDIR /source
COPY pyproject.toml README.md LICENSE ./
COPY src src
RUN python -m venv /opt/causalrules \
    && /opt/causalrules/bin/pip install --no-cache-dir '.[explorer,pictures,propensity]'

FROM python:3.13-slim
RUN useradd --create-home --uid 10001 explorer && mkdir /cache && chown explorer /cache
COPY --from=build /opt/causalrules /opt/causalrules
USER explorer
# The inner loops are compiled here, once, so that the first answer is not the slow one.
ENV PATH=/opt/causalrules/bin:$PATH NUMBA_CACHE_DIR=/cache
RUN causalrules warm-up
WORKDIR /data
ENTRYPOINT ["causalrules"]
CMD ["explore", "/data", "--no-browser"]
