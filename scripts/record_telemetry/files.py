"""What the tools of a recording are given: their configurations, plans and queries."""

#: Lines of each access log that are kept.
KEPT = 250
#: Messages of OTLP, and lines of JSON of k6, that are kept.
MESSAGES, POINTS = 6, 4000

WEB = (
    "k6.csv.gz", "k6.json.gz", "k6_summary.json", "prometheus.json", "prometheus_node.json",
    "prometheus_rates.json", "node.prom", "sadf.json", "sadf.csv", "sadf_disk.csv",
    "sadf_net.csv", "sar.txt", "vmstat.txt", "vmstat_t.txt", "iostat.txt", "iostat.json",
    "pidstat.txt", "pidstat_h.txt", "cgroup.txt",
    "access_common.log", "access_combined.log", "access_json.log", "otlp_traces.json",
    "otlp_metrics.json",
)  # fmt: skip
GENERATORS = (
    "wrk_2.txt", "wrk_8.txt", "wrk_short.txt", "jmeter_csv.jtl", "jmeter_xml.jtl",
    "locust_stats.csv", "locust_stats_history.csv",
)  # fmt: skip
PGBENCH = (
    "pgbench.txt", "pgbench_rate.txt", "pgbench_progress.txt", "pgbench_stamps.txt", "pgbench_log",
    "pgbench_aggregated",
)  # fmt: skip

#: Counters as they are, and the same as a dashboard asks for them.
QUERIES = {
    "prometheus.json": '{__name__=~"process_cpu_seconds_total|instance:node_num_cpu:sum"}',
    "prometheus_node.json": '{__name__=~"node_cpu_seconds_total|node_disk_(io_time_seconds'
    "|reads_completed|writes_completed|read_bytes|written_bytes)_total"
    '|node_memory_Mem(Total|Available)_bytes"}',
    "prometheus_rates.json": "1 - avg by (instance) "
    '(sum by (instance, cpu) (rate(node_cpu_seconds_total{mode=~"idle|iowait"}[10s])))',
}

#: Times and counters of a control group, one after the other.
CGROUP = (
    "for i in $(seq 1 %s); do date +%%s.%%N; cat /sys/fs/cgroup/cpu.stat /sys/fs/cgroup/io.stat "
    "2>/dev/null || cat /sys/fs/cgroup/unified/cpu.stat; sleep 2; done"
)
#: Node exporter asked again and again, as a script of cron would.
SCRAPES = (
    "for i in 1 2 3 4 5; do curl -s http://127.0.0.1:%d/metrics | grep -vE "
    "'^# HELP|zram|clocksource|discard|flush|guest|frequency|memory_[A-LN-Z]|promhttp'; "
    "sleep 4; done"
)


def nginx(port, behind, home):
    """A proxy that logs each request in three forms."""
    servers = "".join(f"server 127.0.0.1:{each};" for each in behind)
    return f"""daemon off; worker_processes 1; pid {home}/nginx.pid; user root;
events {{ worker_connections 512; }}
http {{
  upstream app {{ {servers}}}
  log_format timed '$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent '
                   '"$http_referer" "$http_user_agent" $request_time';
  log_format plain '$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent';
  log_format json escape=json '{{"time": "$time_iso8601", "request": "$request", '
                   '"status": $status, "request_time": $request_time, "bytes": $bytes_sent}}';
  access_log {home}/logs/common.log plain;
  access_log {home}/logs/combined.log timed;
  access_log {home}/logs/json.log json;
  client_body_temp_path {home}; proxy_temp_path {home}; fastcgi_temp_path {home};
  uwsgi_temp_path {home}; scgi_temp_path {home};
  server {{ listen 127.0.0.1:{port};
    location / {{ proxy_pass http://app; }} }}
}}
"""


def prometheus(exporter, applications, home):
    """Every second, from node_exporter and the application; how many processors, as is usual."""
    targets = ", ".join(f'"127.0.0.1:{port}"' for port in applications)
    (home / "rules.yml").write_text("""groups: [{name: node, rules: [{
  record: "instance:node_num_cpu:sum",
  expr: 'count by (instance, job) (node_cpu_seconds_total{mode="idle"})'}]}]
""")
    return f"""global: {{scrape_interval: 1s, evaluation_interval: 1s}}
rule_files: ["{home}/rules.yml"]
scrape_configs:
  - job_name: node
    static_configs: [{{targets: ["127.0.0.1:{exporter}"]}}]
  - job_name: shop
    static_configs: [{{targets: [{targets}]}}]
"""


def k6(port, steps, length):
    """As many users at each step, who think for half a second in the mean; three of four search."""
    stages = "".join(
        f"{{duration: '0s', target: {users}}}, {{duration: '{length}s', target: {users}}},"
        for users in steps
    )
    return f"""import http from 'k6/http'; import {{ sleep }} from 'k6';
export const options = {{ startVUs: {steps[0]}, gracefulRampDown: '0s', stages: [{stages}] }};
export default function () {{
  const path = Math.random() < 0.75 ? 'search' : 'checkout';
  http.get(`http://127.0.0.1:{port}/${{path}}`, {{ tags: {{ name: path }} }});
  sleep(-0.5 * Math.log(1 - Math.random()));
}}
"""


LOCUST = """
from locust import HttpUser, LoadTestShape, constant, task

class Visitor(HttpUser):
    wait_time = constant(0.2)

    @task(3)
    def search(self):
        self.client.get("/search")

    @task
    def checkout(self):
        self.client.get("/checkout")

class Steps(LoadTestShape):
    def tick(self):
        t = self.get_run_time()
        return None if t > 36 else ((2, 6, 12)[int(t // 12)], 20)
"""


def jmeter(port):
    """Two thread groups of 2 and 4 threads one after the other, each for some seconds."""
    groups = "".join(
        f"""<ThreadGroup guiclass="ThreadGroupGui"
testclass="ThreadGroup" testname="{users} users" enabled="true">
<elementProp name="ThreadGroup.main_controller" elementType="LoopController">
<boolProp name="LoopController.continue_forever">false</boolProp>
<intProp name="LoopController.loops">-1</intProp></elementProp>
<stringProp name="ThreadGroup.num_threads">{users}</stringProp>
<stringProp name="ThreadGroup.ramp_time">0</stringProp>
<boolProp name="ThreadGroup.scheduler">true</boolProp>
<stringProp name="ThreadGroup.duration">6</stringProp></ThreadGroup><hashTree>
<HTTPSamplerProxy guiclass="HttpTestSampleGui"
testclass="HTTPSamplerProxy" testname="search" enabled="true">
<stringProp name="HTTPSampler.domain">127.0.0.1
</stringProp><stringProp name="HTTPSampler.port">{port}</stringProp>
<stringProp name="HTTPSampler.path">/search</stringProp>
<stringProp name="HTTPSampler.method">GET</stringProp><elementProp name="HTTPsampler.Arguments"
elementType="Arguments"><collectionProp name="Arguments.arguments"/></elementProp>
</HTTPSamplerProxy><hashTree><ConstantTimer guiclass="ConstantTimerGui"
testclass="ConstantTimer" testname="think" enabled="true">
<stringProp name="ConstantTimer.delay">150</stringProp></ConstantTimer><hashTree/></hashTree>
</hashTree>"""
        for users in (2, 4)
    ).replace("127.0.0.1\n", "127.0.0.1")
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<jmeterTestPlan version="1.2" properties="5.0"><hashTree><TestPlan guiclass="TestPlanGui"
testclass="TestPlan" testname="steps" enabled="true">
<boolProp name="TestPlan.serialize_threadgroups">true</boolProp>
</TestPlan><hashTree>{groups}</hashTree></hashTree></jmeterTestPlan>
"""
