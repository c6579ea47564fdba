/* W5 in plain C, one JSON line each way: network by network, and many networks in step.
 *
 * Compiled by peers.py with the optimisation a planner would ask of a C compiler (-O3, and
 * -march=native so that many networks in step use the processor's vectors). The demands are read
 * from standard input: networks, stations, population, think time, then a row per network. */

#define _POSIX_C_SOURCE 199309L
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { TIMES = 20, STATIONS = 4, IN_STEP = 16, SHOWN = 50 };

static int networks, stations, population;
static double think, *demand, *throughput;

/* The recursion of mean value analysis for one network after the other. */
static void one_by_one(void) {
    for (int i = 0; i < networks; i++) {
        const double *d = demand + i * STATIONS;
        double queue[STATIONS] = {0}, residence[STATIONS], x = 0.0;
        for (int n = 1; n <= population; n++) {
            double total = think;
            for (int k = 0; k < STATIONS; k++) {
                residence[k] = d[k] * (1.0 + queue[k]);
                total += residence[k];
            }
            x = n / total;
            for (int k = 0; k < STATIONS; k++) queue[k] = x * residence[k];
        }
        throughput[i] = x;
    }
}

/* The same with IN_STEP networks side by side, for the compiler to lay into vectors. */
static void in_step(void) {
    for (int i = 0; i < networks; i += IN_STEP) {
        double d[STATIONS][IN_STEP], queue[STATIONS][IN_STEP] = {{0}}, x[IN_STEP] = {0};
        int here = networks - i < IN_STEP ? networks - i : IN_STEP;
        for (int k = 0; k < STATIONS; k++)
            for (int j = 0; j < IN_STEP; j++)
                d[k][j] = demand[(i + (j < here ? j : 0)) * STATIONS + k];
        for (int n = 1; n <= population; n++) {
            double total[IN_STEP];
            for (int j = 0; j < IN_STEP; j++) total[j] = think;
            for (int k = 0; k < STATIONS; k++)
                for (int j = 0; j < IN_STEP; j++) {
                    queue[k][j] = d[k][j] * (1.0 + queue[k][j]);
                    total[j] += queue[k][j];
                }
            for (int j = 0; j < IN_STEP; j++) x[j] = n / total[j];
            for (int k = 0; k < STATIONS; k++)
                for (int j = 0; j < IN_STEP; j++) queue[k][j] *= x[j];
        }
        for (int j = 0; j < here; j++) throughput[i + j] = x[j];
    }
}

static void timed(const char *tool, void (*solve)(void)) {
    printf("{\"case\": \"W5 a network of 10,000\", \"tool\": \"%s\", \"exact\": true, \"seconds\": [",
           tool);
    for (int i = 0; i < TIMES; i++) {
        struct timespec begun, ended;
        clock_gettime(CLOCK_MONOTONIC, &begun);
        solve();
        clock_gettime(CLOCK_MONOTONIC, &ended);
        double seconds = (double)(ended.tv_sec - begun.tv_sec) +
                         1e-9 * (double)(ended.tv_nsec - begun.tv_nsec);
        printf("%s%.9g", i ? ", " : "", seconds / networks);
    }
    printf("], \"answer\": [");
    for (int i = 0; i < SHOWN; i++) printf("%s%.17g", i ? ", " : "", throughput[i]);
    printf("]}\n");
}

int main(void) {
    if (scanf("%d %d %d %lf", &networks, &stations, &population, &think) != 4) return 1;
    if (stations != STATIONS || networks < SHOWN) return 1;
    demand = malloc(sizeof(double) * (size_t)networks * STATIONS);
    throughput = malloc(sizeof(double) * (size_t)networks);
    if (!demand || !throughput) return 1;
    for (int i = 0; i < networks * STATIONS; i++)
        if (scanf("%lf", demand + i) != 1) return 1;
    timed("C, one by one", one_by_one);
    timed("C, 16 in step", in_step);
    return 0;
}
